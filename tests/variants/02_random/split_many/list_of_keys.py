"""Starred unpacking: the subkeys come as a list."""

import jax


def split_many(key, n):
    key, *subkeys = jax.random.split(key, n + 1)
    return key, subkeys
