"""Other right answers to dropout; each cell is a suffix to the solution."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


# %% key_per_element
# Each element has a key, and a function of one number is mapped over both.
def dropout(key, x, rate):
    def drop(key, number):
        stays = ~jax.random.bernoulli(key, rate)
        return lax.cond(stays, lambda: number / (1 - rate), lambda: 0 * number)

    keys = jax.random.split(key, x.size)
    return jax.vmap(drop)(keys, x.ravel()).reshape(x.shape)


# %% layer_class
# A layer object that holds the rate.
class Dropout(NamedTuple):
    rate: jax.Array | float

    def __call__(self, x, *, key):
        keep = 1.0 - self.rate
        scale = jax.random.bernoulli(key, keep, jnp.shape(x)) / keep
        return x * scale


def dropout(key, x, rate):
    return Dropout(rate)(x, key=key)


# %% product
# The array is multiplied by a mask of floats, drawn from a new key.
def dropout(key, x, rate):
    _, subkey = jax.random.split(key)
    mask = jax.random.bernoulli(subkey, p=1 - rate, shape=x.shape).astype(x.dtype)
    return x * mask / (1 - rate)


# %% random_bits
# Random bits are compared with the rate, scaled to integers.
def dropout(key, x, rate):
    bits = jax.random.bits(key, x.shape, jnp.uint16)
    threshold = jnp.round(jnp.float32(rate) * 2**16).astype(jnp.int32)
    return lax.select(bits.astype(jnp.int32) >= threshold, x / (1 - rate), jnp.zeros_like(x))


# %% uniform
# Uniform numbers are compared with the rate.
@jax.jit
def dropout(key, x, rate):
    dropped = jax.random.uniform(key, x.shape) < rate
    return jnp.where(dropped, jnp.zeros_like(x), x / (1 - rate))
