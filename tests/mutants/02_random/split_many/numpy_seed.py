"""The seed is drawn by NumPy, so nobody can repeat the run.

Fails: test_the_same_key_gives_the_same_keys
"""

import jax
import numpy as np


def split_many(key, n):
    seed = int(np.random.default_rng().integers(2**31))
    keys = jax.random.split(jax.random.fold_in(key, seed), n + 1)
    return keys[0], keys[1:]
