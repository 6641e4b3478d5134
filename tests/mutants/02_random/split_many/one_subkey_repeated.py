"""One subkey, n times.

Fails: test_all_keys_differ
"""

import jax
import jax.numpy as jnp


def split_many(key, n):
    key, subkey = jax.random.split(key)
    return key, jnp.stack([subkey] * n)
