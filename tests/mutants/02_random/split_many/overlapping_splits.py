"""One key is split twice, and the first keys of both splits are equal.

Fails: test_all_keys_differ, test_no_key_is_used_twice
"""

import jax


def split_many(key, n):
    subkeys = jax.random.split(key, n)
    new, _ = jax.random.split(key)
    return new, subkeys
