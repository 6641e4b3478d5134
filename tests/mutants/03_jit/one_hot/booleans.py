"""The comparison is returned as it is, so the entries are booleans.

Fails: test_entries_are_floats
"""

import jax.numpy as jnp


def one_hot(labels, k):
    return labels[:, None] == jnp.arange(k)
