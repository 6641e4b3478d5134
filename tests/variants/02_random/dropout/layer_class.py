"""A layer object that holds the rate."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Dropout(NamedTuple):
    rate: jax.Array | float

    def __call__(self, x, *, key):
        keep = 1.0 - self.rate
        scale = jax.random.bernoulli(key, keep, jnp.shape(x)) / keep
        return x * scale


def dropout(key, x, rate):
    return Dropout(rate)(x, key=key)
