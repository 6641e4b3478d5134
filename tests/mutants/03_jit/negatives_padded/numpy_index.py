"""NumPy picks the elements, which no transformation can follow.

Fails: test_it_survives_jit, test_a_batch_can_be_searched
"""

import jax.numpy as jnp
import numpy as np


def negatives_padded(x, size):
    x = np.asarray(x)
    found = x[x < 0][:size]
    padding = np.zeros(size - len(found), x.dtype)
    return jnp.asarray(np.concatenate([found, padding]))
