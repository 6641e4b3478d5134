"""`key, subkeys =` unpacks the array of keys itself, as a tutorial does with num=10.

Fails: test_a_key_and_n_subkeys_come_back, test_keys_are_typed, test_all_keys_differ,
test_two_rounds_share_no_key, test_the_same_key_gives_the_same_keys,
test_another_key_gives_other_keys, test_no_key_is_used_twice
"""

import jax


def split_many(key, n):
    key, subkeys = jax.random.split(key, n)
    return key, subkeys
