"""The same loop in `lax.scan`, with the key as its state."""

import jax
from jax import lax


def split_many(key, n):
    def next_pair(key, _):
        key, subkey = jax.random.split(key)
        return key, subkey

    return lax.scan(next_pair, key, length=n)
