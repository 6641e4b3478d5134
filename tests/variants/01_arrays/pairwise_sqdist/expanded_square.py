"""The square is expanded, so that the work is a matrix product."""

import jax.numpy as jnp


def pairwise_sqdist(X, Y):
    x_norms = jnp.sum(X * X, axis=1, keepdims=True)
    y_norms = jnp.sum(Y * Y, axis=1)
    return x_norms + y_norms - 2 * (X @ Y.T)
