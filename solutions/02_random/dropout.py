"""Reference solution: one random boolean per element."""

import jax
import jax.numpy as jnp


def dropout(key: jax.Array, x: jax.Array, rate: float | jax.Array) -> jax.Array:
    """Scaled elements where the mask is true, zeros elsewhere."""
    staying = 1 - rate
    mask = jax.random.bernoulli(key, staying, x.shape)
    return jnp.where(mask, x / staying, 0)
