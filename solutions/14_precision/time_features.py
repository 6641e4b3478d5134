"""Reference solution: 64 bits inside a `with` statement."""

import jax
import jax.numpy as jnp


def time_features(seconds: jax.Array, period: jax.Array) -> jax.Array:
    """The angle is a float64 until its sine and cosine are taken."""
    with jax.enable_x64(True):
        angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period)
        features = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)
        return features.astype(jnp.float32)
