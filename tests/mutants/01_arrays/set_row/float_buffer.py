"""A buffer of zeros is filled instead of copying `x`, so everything becomes float32.

Fails: test_the_dtype_is_kept
"""

import jax.numpy as jnp


def set_row(x, i, row):
    out = jnp.zeros(x.shape)
    out = out.at[:].set(x)
    return out.at[i].set(row)
