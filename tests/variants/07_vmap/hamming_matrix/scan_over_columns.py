"""A running count, one column at a time."""

import jax.numpy as jnp
from jax import lax


def hamming_matrix(A, B):
    def add(count, column):
        a, b = column
        return count + (a[:, None] != b[None, :]), None

    start = jnp.zeros((A.shape[0], B.shape[0]), jnp.int32)
    return lax.scan(add, start, (A.T, B.T))[0]
