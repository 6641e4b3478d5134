"""`where` chooses the formula that is safe, and the other one spoils the gradient all the same.

Fails: test_the_gradient_is_finite_for_huge_numbers
"""

import jax.numpy as jnp


def sum_logistic(x):
    left = jnp.exp(x) / (1 + jnp.exp(x))
    right = 1 / (1 + jnp.exp(-x))
    return jnp.sum(jnp.where(x < 0, left, right))
