"""What the suite of split_many once missed; each cell is a suffix to the solution.

Not noticed any more: keys of which only a few bits count, since the text speaks of no bits.
"""

import jax


# %% one_subkey_apart
# A single subkey is treated apart, and then the key is split twice.
# Fails: test_no_key_is_used_twice
def split_many(key, n):
    if n > 1:
        keys = jax.random.split(key, n + 1)
        return keys[0], keys[1:]
    new, _ = jax.random.split(key)
    return new, jax.random.split(key, 3)[2:]
