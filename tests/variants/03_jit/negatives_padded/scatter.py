"""A running count says where each element goes, and what has no place is dropped."""

import jax.numpy as jnp


def negatives_padded(x, size):
    negative = x < 0
    place = jnp.where(negative, jnp.cumsum(negative) - 1, size)
    return jnp.zeros(size, x.dtype).at[place].set(x, mode="drop")
