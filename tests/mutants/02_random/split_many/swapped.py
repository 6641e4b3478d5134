"""The pair is the wrong way round.

Fails: test_a_key_and_n_subkeys_come_back, test_keys_are_typed, test_all_keys_differ,
test_two_rounds_share_no_key, test_the_same_key_gives_the_same_keys,
test_another_key_gives_other_keys
"""

import jax


def split_many(key, n):
    keys = jax.random.split(key, n + 1)
    return keys[1:], keys[0]
