"""The sum is missing, and a vector has no gradient.

Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
test_the_value_is_finite_for_huge_numbers, test_the_gradient_is_finite_for_huge_numbers,
test_it_survives_jit_and_vmap
"""

import jax


def sum_logistic(x):
    return jax.nn.sigmoid(x)
