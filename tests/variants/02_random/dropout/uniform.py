"""Uniform numbers, compared with the rate."""

import jax
import jax.numpy as jnp


@jax.jit
def dropout(key, x, rate):
    dropped = jax.random.uniform(key, x.shape) < rate
    return jnp.where(dropped, jnp.zeros_like(x), x / (1 - rate))
