"""The key is unwrapped, and arrays of integers come back.

Fails: test_a_key_and_n_subkeys_come_back, test_keys_are_typed
"""

import jax


def split_many(key, n):
    keys = jax.random.split(jax.random.key_data(key), n + 1)
    return keys[0], keys[1:]
