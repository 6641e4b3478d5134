"""The brackets of a tutorial: 1.0 / 1.0 comes first, so this is 1 + exp(-x).

Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap
"""

import jax.numpy as jnp


def sum_logistic(x):
    return jnp.sum(1.0 / 1.0 + jnp.exp(-x))
