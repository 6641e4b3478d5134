"""NumPy habit: `np.add.at` on a NumPy array, which no transformation can follow.

Fails: test_it_survives_jit, test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp
import numpy as np


def hist(idx, n):
    idx = np.asarray(idx)
    counts = np.zeros(n, np.int32)
    np.add.at(counts, idx[(idx >= 0) & (idx < n)], 1)
    return jnp.asarray(counts)
