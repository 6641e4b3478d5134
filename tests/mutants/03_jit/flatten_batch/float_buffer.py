"""The rows are copied into a buffer of zeros, which is float32.

Fails: test_the_dtype_is_kept
"""

import math

import jax.numpy as jnp


def flatten_batch(x):
    rows = jnp.zeros((x.shape[0], math.prod(x.shape[1:])))
    for b in range(x.shape[0]):
        rows = rows.at[b].set(x[b].ravel())
    return rows
