"""The elements are written into a buffer of zeros, which is float32.

Fails: test_the_dtype_is_kept
"""

import jax.numpy as jnp


def negatives_padded(x, size):
    place = jnp.where(x < 0, jnp.cumsum(x < 0) - 1, size)
    return jnp.zeros(size).at[place].set(x, mode="drop")
