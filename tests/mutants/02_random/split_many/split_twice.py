"""One key is split twice; the keys happen to differ, and the key is used twice all the same.

Fails: test_no_key_is_used_twice
"""

import jax


def split_many(key, n):
    new, _ = jax.random.split(key)
    subkeys = jax.random.split(key, n + 1)[1:]
    return new, subkeys
