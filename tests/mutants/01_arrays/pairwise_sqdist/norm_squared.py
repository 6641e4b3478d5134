"""A norm, squared again: the values are right, and the gradient is NaN where points are equal.

Fails: test_equal_points_have_a_gradient
"""

import jax.numpy as jnp


def pairwise_sqdist(X, Y):
    return jnp.linalg.norm(X[:, None] - Y, axis=-1) ** 2
