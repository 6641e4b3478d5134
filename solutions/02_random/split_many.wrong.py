"""What learners get wrong in split_many; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% old_key_returned
# The key passed in is returned, although it was consumed.
# Do: Return a new key instead of the one passed in, which is used up.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_all_keys_differ, test_two_rounds_share_no_key
def split_many(key, n):
    return key, jax.random.split(key, n)


# %% one_subkey_repeated
# One subkey is returned n times.
# Do: Ask `split` for as many keys as you need, all in one call.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_all_keys_differ, test_two_rounds_share_no_key
def split_many(key, n):
    key, subkey = jax.random.split(key)
    return key, jnp.stack([subkey] * n)


# %% overlapping_splits
# One key is split twice, and the first keys of both splits are equal.
# Do: Split the key once, into all the keys that you need.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_all_keys_differ, test_two_rounds_share_no_key, test_no_key_is_used_twice
def split_many(key, n):
    subkeys = jax.random.split(key, n)
    new, _ = jax.random.split(key)
    return new, subkeys


# %% last_subkey_is_key
# The last subkey is also returned as the new key.
# Do: Make one more key than there are subkeys.
# Breaks: Returns 2
# Fails: test_all_keys_differ, test_two_rounds_share_no_key
def split_many(key, n):
    subkeys = jax.random.split(key, n)
    return subkeys[-1], subkeys


# %% first_subkey_is_key
# The first subkey is also returned as the new key.
# Do: Make one more key than there are subkeys.
# Breaks: Returns 2
# Fails: test_all_keys_differ, test_two_rounds_share_no_key
def split_many(key, n):
    keys = jax.random.split(key, n)
    return keys[0], keys


# %% split_twice
# One key is split twice: the subkeys happen to differ, but the key is consumed twice.
# Do: Split the key once. A second call uses the same key again.
# Breaks: Returns 3
# Fails: test_no_key_is_used_twice
def split_many(key, n):
    new, _ = jax.random.split(key)
    subkeys = jax.random.split(key, n + 1)[1:]
    return new, subkeys


# %% unpacked_array
# `key, subkeys =` unpacks the array of keys itself, as in a tutorial with num=10.
# Do: Keep the keys in one array. Take the first one with an index, and the others with a slice.
# Breaks: Returns 1
# Fails: test_a_key_and_n_subkeys_come_back, test_all_keys_differ, test_two_rounds_share_no_key,
# test_no_key_is_used_twice, test_the_key_decides
def split_many(key, n):
    key, subkeys = jax.random.split(key, n)
    return key, subkeys


# %% swapped
# The two results are in the wrong order.
# Do: Return the new key first, and the subkeys after it.
# Breaks: Returns 1
# Fails: test_a_key_and_n_subkeys_come_back, test_all_keys_differ, test_two_rounds_share_no_key,
# test_the_key_decides
def split_many(key, n):
    keys = jax.random.split(key, n + 1)
    return keys[1:], keys[0]


# %% raw_keys
# The typed key is unwrapped: arrays of integers are returned.
# Do: Pass the typed key to `split` as it is.
# Breaks: Returns 1
# Fails: test_a_key_and_n_subkeys_come_back
def split_many(key, n):
    keys = jax.random.split(jax.random.key_data(key), n + 1)
    return keys[0], keys[1:]


# %% fixed_seed
# The key is ignored: every call makes a key from seed 0.
# Do: Split the key passed in, and don't make a key from a seed.
# Breaks: Returns 4
# Fails: test_two_rounds_share_no_key, test_the_key_decides
def split_many(key, n):
    keys = jax.random.split(jax.random.key(0), n + 1)
    return keys[0], keys[1:]


# %% numpy_seed
# NumPy draws the seed, so no run can be repeated.
# Do: Don't use NumPy: `jax.random.split` needs only the key.
# Breaks: Returns 4
# Fails: test_the_key_decides
def split_many(key, n):
    seed = int(np.random.default_rng().integers(2**31))
    keys = jax.random.split(jax.random.fold_in(key, seed), n + 1)
    return keys[0], keys[1:]


# %% counted_up
# Keys are incremented like seeds, and the next call goes through the same keys.
# Do: Don't compute with the numbers of a key. `jax.random.split` makes new keys.
# Breaks: Returns 4
# Fails: test_two_rounds_share_no_key
def split_many(key, n):
    seed = jax.random.key_data(key)
    keys = [jax.random.wrap_key_data(seed + jnp.uint32(j)) for j in range(1, n + 2)]
    return keys[0], jnp.stack(keys[1:])


# %% used_subkey
# The new key is split from the last subkey, which is returned although it was consumed.
# Do: Split only the key passed in. Leave the subkeys to the code that draws with them.
# Breaks: Returns 3
# Fails: test_two_rounds_share_no_key
def split_many(key, n):
    subkeys = jax.random.split(key, n)
    new, _ = jax.random.split(subkeys[-1])
    return new, subkeys


# %% once missed


# %% one_subkey_apart
# A single subkey is a special case, in which the key is split twice.
# Breaks: Returns 3
# Fails: test_no_key_is_used_twice
def split_many(key, n):
    if n > 1:
        keys = jax.random.split(key, n + 1)
        return keys[0], keys[1:]
    new, _ = jax.random.split(key)
    return new, jax.random.split(key, 3)[2:]
