"""A product with a mask of floats, drawn from a fresh key."""

import jax


def dropout(key, x, rate):
    _, subkey = jax.random.split(key)
    mask = jax.random.bernoulli(subkey, p=1 - rate, shape=x.shape).astype(x.dtype)
    return x * mask / (1 - rate)
