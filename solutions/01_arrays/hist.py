"""Reference solution: a scatter-add, with negative indices moved beyond the end."""

import jax
import jax.numpy as jnp


def hist(idx: jax.Array, n: int) -> jax.Array:
    """A count for each of n numbers."""
    counted = jnp.where(idx < 0, n, idx)
    return jnp.zeros(n, jnp.int32).at[counted].add(1, mode="drop")
