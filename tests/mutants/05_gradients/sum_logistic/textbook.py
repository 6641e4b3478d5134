"""The formula as it stands: the value is right everywhere, and the gradient at -200 is NaN.

Fails: test_the_gradient_is_finite_for_huge_numbers
"""

import jax.numpy as jnp


def sum_logistic(x):
    return jnp.sum(1 / (1 + jnp.exp(-x)))
