"""The tanh form without halving x: the curve is twice as steep.

Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap
"""

import jax.numpy as jnp


def sum_logistic(x):
    return jnp.sum((1 + jnp.tanh(x)) / 2)
