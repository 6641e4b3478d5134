"""Reference solution: one broadcast subtraction."""

import jax
import jax.numpy as jnp


def pairwise_sqdist(X: jax.Array, Y: jax.Array) -> jax.Array:
    """All differences, squared and summed over the coordinates."""
    difference = X[:, None] - Y
    return jnp.square(difference).sum(-1)
