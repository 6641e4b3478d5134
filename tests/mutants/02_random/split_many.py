"""Wrong answers to split_many; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% counted_up
# Keys are counted up, like seeds; the next call counts through the same keys.
# Fails: test_two_rounds_share_no_key, test_another_key_gives_other_keys
def split_many(key, n):
    seed = jax.random.key_data(key)
    keys = [jax.random.wrap_key_data(seed + jnp.uint32(j)) for j in range(1, n + 2)]
    return keys[0], jnp.stack(keys[1:])


# %% fixed_seed
# The key is ignored: a key of seed 0 is made in every call.
# Fails: test_two_rounds_share_no_key, test_another_key_gives_other_keys
def split_many(key, n):
    keys = jax.random.split(jax.random.key(0), n + 1)
    return keys[0], keys[1:]


# %% last_subkey_is_key
# The last subkey is also returned as the new key.
# Fails: test_all_keys_differ
def split_many(key, n):
    subkeys = jax.random.split(key, n)
    return subkeys[-1], subkeys


# %% numpy_seed
# NumPy draws the seed, so no run can be repeated.
# Fails: test_the_same_key_gives_the_same_keys
def split_many(key, n):
    seed = int(np.random.default_rng().integers(2**31))
    keys = jax.random.split(jax.random.fold_in(key, seed), n + 1)
    return keys[0], keys[1:]


# %% old_key_returned
# The key that came in is returned, although it was consumed.
# At most half of the points.
# Fails: test_all_keys_differ, test_two_rounds_share_no_key, test_another_key_gives_other_keys
def split_many(key, n):
    return key, jax.random.split(key, n)


# %% one_subkey_repeated
# One subkey is returned n times.
# At most half of the points.
# Fails: test_all_keys_differ, test_another_key_gives_other_keys
def split_many(key, n):
    key, subkey = jax.random.split(key)
    return key, jnp.stack([subkey] * n)


# %% overlapping_splits
# One key is split twice, and the first keys of both splits are equal.
# At most half of the points.
# Fails: test_all_keys_differ, test_no_key_is_used_twice
def split_many(key, n):
    subkeys = jax.random.split(key, n)
    new, _ = jax.random.split(key)
    return new, subkeys


# %% raw_keys
# The typed key is unwrapped: arrays of integers are returned.
# Fails: test_a_key_and_n_subkeys_come_back, test_keys_are_typed
def split_many(key, n):
    keys = jax.random.split(jax.random.key_data(key), n + 1)
    return keys[0], keys[1:]


# %% split_twice
# One key is split twice: the subkeys happen to differ, but the key is consumed twice.
# Fails: test_no_key_is_used_twice
def split_many(key, n):
    new, _ = jax.random.split(key)
    subkeys = jax.random.split(key, n + 1)[1:]
    return new, subkeys


# %% swapped
# The two results are in the wrong order.
# Fails: test_a_key_and_n_subkeys_come_back, test_keys_are_typed, test_all_keys_differ,
# test_two_rounds_share_no_key, test_the_same_key_gives_the_same_keys,
# test_another_key_gives_other_keys
def split_many(key, n):
    keys = jax.random.split(key, n + 1)
    return keys[1:], keys[0]


# %% unpacked_array
# `key, subkeys =` unpacks the array of keys itself, as in a tutorial with num=10.
# Fails: test_a_key_and_n_subkeys_come_back, test_keys_are_typed, test_all_keys_differ,
# test_two_rounds_share_no_key, test_the_same_key_gives_the_same_keys,
# test_another_key_gives_other_keys, test_no_key_is_used_twice
def split_many(key, n):
    key, subkeys = jax.random.split(key, n)
    return key, subkeys


# %% counted_seeds
# Both numbers of the key are counted up: neighbours among keys have the subkeys of each other.
# Fails: test_another_key_gives_other_keys
def split_many(key, n):
    high, low = jax.random.key_data(key)
    lows = low * jnp.uint32(1000) + jnp.arange(n + 1, dtype=jnp.uint32)
    keys = jax.random.wrap_key_data(jnp.stack([jnp.full_like(lows, high + 1), lows], axis=1))
    return keys[0], keys[1:]


# %% integer_seed
# The key is turned into a non-negative integer, so two of its bits have no effect.
# Fails: test_another_key_gives_other_keys
def split_many(key, n):
    own = jax.random.wrap_key_data(jax.random.key_data(key) & 0x7FFFFFFF)
    keys = jax.random.split(own, n + 1)
    return keys[0], keys[1:]


# %% five_hundred_keys
# It always makes 500 keys. With n = 500 the last subkey is the new key.
# Fails: test_all_keys_differ
def split_many(key, n):
    keys = jax.random.split(key, 500)
    return keys[-1], keys[:n]


# %% used_subkey
# The new key is split from the last subkey, which is returned although it was consumed.
# Fails: test_two_rounds_share_no_key
def split_many(key, n):
    subkeys = jax.random.split(key, n)
    new, _ = jax.random.split(subkeys[-1])
    return new, subkeys


# %% seed_of_31_bits
# The key only draws a seed, and many keys draw the same one.
# Fails: test_another_key_gives_other_keys
def split_many(key, n, solution=split_many):
    seed = jax.random.randint(key, (), 0, jnp.iinfo(jnp.int32).max)
    return solution(jax.random.key(seed), n)


# %% one_subkey_apart
# A single subkey is treated apart, and then the key is split twice.
# Fails: test_no_key_is_used_twice
def split_many(key, n, solution=split_many):
    if n > 1:
        return solution(key, n)
    new, _ = jax.random.split(key)
    return new, jax.random.split(key, 3)[2:]
