"""Reference solution: angles in float32, and one cast at the end."""

import jax
import jax.numpy as jnp


def rope(x: jax.Array, positions: jax.Array) -> jax.Array:
    """Each pair is turned in float32."""
    h = x.shape[-1] // 2
    frequencies = 10000.0 ** (-jnp.arange(h) / h)
    angles = positions[:, None, None] * frequencies
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1).astype(x.dtype)
