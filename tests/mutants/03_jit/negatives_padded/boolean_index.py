"""NumPy's boolean index, padded afterwards, as in a tutorial: its shape depends on values.

Fails: test_it_survives_jit, test_a_batch_can_be_searched
"""

import jax.numpy as jnp


def negatives_padded(x, size):
    found = x[x < 0][:size]
    return jnp.pad(found, (0, size - found.shape[0]))
