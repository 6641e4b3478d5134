"""NumPy does the work, which no transformation can follow.

Fails: test_it_survives_jit_and_vmap
"""

import jax.numpy as jnp
import numpy as np


def standardize_rows(X):
    rows = np.asarray(X)
    centred = rows - rows.mean(axis=1, keepdims=True)
    return jnp.asarray(centred / rows.std(axis=1, keepdims=True))
