"""`grad` of the summed outputs, since `grad` wants a scalar: one row instead of all.

Fails: test_every_derivative_is_there, test_a_square_one_is_not_transposed,
test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
test_one_function_serves_every_point, test_it_is_fast
"""

import jax


def best_jacobian(f, n_in, n_out):
    return jax.grad(lambda x: f(x).sum())
