"""Reference solution: a fixed number of positions, and a read that fills."""

import jax
import jax.numpy as jnp


def negatives_padded(x: jax.Array, size: int) -> jax.Array:
    """Places that are left over read beyond the end, and get zeros."""
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)
