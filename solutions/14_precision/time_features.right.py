"""Other right answers to time_features; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% turns
# The turns that are over are taken away in float64; the rest is small enough for float32.
def time_features(seconds, period):
    with jax.enable_x64(True):
        turns = jnp.float64(seconds) / jnp.float64(period)
        rest = (turns - jnp.floor(turns)).astype(jnp.float32)
    angle = 2 * jnp.pi * rest
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% compiled
# A compiled function, called with 64 bits; the cast is outside.
@jax.jit
def _features(seconds, period):
    angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period.astype(jnp.float64))
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


def time_features(seconds, period):
    with jax.enable_x64(True):
        features = _features(seconds, period)
    return features.astype(jnp.float32)


# %% complex_numbers
# The angle turns a complex number of 128 bits.
@jax.jit
def time_features(seconds, period):
    with jax.enable_x64():
        turned = jnp.exp(2j * jnp.pi * (lax.convert_element_type(seconds, jnp.float64) / period))
        return jnp.stack([turned.imag, turned.real], axis=-1).astype(jnp.float32)


# %% remainder_of_two_parts
# No float64: each part of the time is exact in float32, and so is its remainder.
def time_features(seconds, period):
    high, low = (seconds >> 12) << 12, seconds & 4095
    rest = jnp.fmod(high.astype(jnp.float32), period) + jnp.fmod(low.astype(jnp.float32), period)
    angle = 2 * jnp.pi * (rest / period)
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)
