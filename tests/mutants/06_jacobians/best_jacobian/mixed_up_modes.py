"""The two modes are confused: right values at the highest price.

Fails: test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back, test_it_is_fast
"""

import jax


def best_jacobian(f, n_in, n_out):
    return jax.jacrev(f) if n_out > n_in else jax.jacfwd(f)
