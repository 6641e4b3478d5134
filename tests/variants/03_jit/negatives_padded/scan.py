"""A loop over the elements that carries a buffer and how much of it is full."""

import jax.numpy as jnp
from jax import lax


def negatives_padded(x, size):
    def append(state, element):
        buffer, count = state
        place = jnp.where(element < 0, count, size)
        buffer = buffer.at[place].set(element, mode="drop")
        return (buffer, count + (element < 0)), None

    (buffer, _), _ = lax.scan(append, (jnp.zeros(size, x.dtype), jnp.int32(0)), x)
    return buffer
