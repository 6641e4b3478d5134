"""Split in two, then split the second half."""

import jax


def split_many(key, n):
    key, rest = jax.random.split(key)
    return key, jax.random.split(rest, n)
