"""exp(x) / (1 + exp(x)), which is infinity over infinity at 200.

Fails: test_the_value_is_finite_for_huge_numbers, test_the_gradient_is_finite_for_huge_numbers
"""

import jax.numpy as jnp


def sum_logistic(x):
    return jnp.sum(jnp.exp(x) / (1 + jnp.exp(x)))
