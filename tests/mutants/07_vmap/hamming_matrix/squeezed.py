"""`squeeze` takes an axis away when there is one row only.

Fails: test_small_sets_keep_both_axes
"""

import jax.numpy as jnp


def hamming_matrix(A, B):
    return jnp.squeeze((A[:, None] != B).sum(axis=-1))
