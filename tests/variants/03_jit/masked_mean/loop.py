"""A running sum and count in one `scan`."""

import jax.numpy as jnp
from jax import lax


def masked_mean(x, mask):
    def add(state, element):
        total, count = state
        value, kept = element
        return (total + jnp.where(kept, value, 0.0), count + kept), None

    start = (jnp.zeros((), x.dtype), jnp.int32(0))
    (total, count), _ = lax.scan(add, start, (x.ravel(), mask.ravel()))
    return total / jnp.clip(count, 1)
