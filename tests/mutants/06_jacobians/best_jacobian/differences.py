"""Difference quotients: as many passes as forward mode, and half of the digits.

Fails: test_every_derivative_is_there, test_a_square_one_is_not_transposed,
test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
test_one_function_serves_every_point, test_it_is_fast
"""

import jax
import jax.numpy as jnp


def best_jacobian(f, n_in, n_out):
    def jacobian(x, h=1e-3):
        return jax.vmap(lambda e: (f(x + h * e) - f(x)) / h, out_axes=1)(jnp.eye(n_in))

    return jacobian
