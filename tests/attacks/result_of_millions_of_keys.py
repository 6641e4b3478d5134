"""Returns seven million keys, of which a suite could make as many objects (F22).

Exercise: 02_random/split_many
Outcome: failed | timed_out | out_of_memory
"""

import jax

MANY = 7_000_000


def split_many(key, n):
    keys = jax.random.split(key, MANY)
    return keys[0], keys
