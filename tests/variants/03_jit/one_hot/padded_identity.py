"""Rows of an identity matrix, with a row of zeros for what is out of range."""

import jax.numpy as jnp
from jax import lax


def one_hot(labels, k):
    known = (labels >= 0) & (labels < k)
    index = lax.select(known, labels, jnp.full_like(labels, k))
    return jnp.eye(k + 1, k)[index]
