"""A key for each element, and a function of one number mapped over both."""

import jax
from jax import lax


def dropout(key, x, rate):
    def drop(key, number):
        stays = ~jax.random.bernoulli(key, rate)
        return lax.cond(stays, lambda: number / (1 - rate), lambda: 0 * number)

    keys = jax.random.split(key, x.size)
    return jax.vmap(drop)(keys, x.ravel()).reshape(x.shape)
