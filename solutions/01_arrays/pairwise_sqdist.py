"""Reference solution: one broadcast subtraction."""

import jax
import jax.numpy as jnp


def pairwise_sqdist(X: jax.Array, Y: jax.Array) -> jax.Array:
    """Sums of squares over the coordinates of all differences."""
    difference = X[:, None] - Y
    return jnp.square(difference).sum(-1)
