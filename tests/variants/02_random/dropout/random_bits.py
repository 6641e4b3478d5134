"""Random bits, compared with the rate on the scale of integers."""

import jax
import jax.numpy as jnp
from jax import lax


def dropout(key, x, rate):
    bits = jax.random.bits(key, x.shape, jnp.uint16)
    threshold = jnp.round(jnp.float32(rate) * 2**16).astype(jnp.int32)
    return lax.select(bits.astype(jnp.int32) >= threshold, x / (1 - rate), jnp.zeros_like(x))
