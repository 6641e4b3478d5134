"""A loop that splits off one subkey after the other."""

import jax
import jax.numpy as jnp


def split_many(key, n):
    subkeys = []
    for _ in range(n):
        key, subkey = jax.random.split(key)
        subkeys.append(subkey)
    return key, jnp.stack(subkeys)
