"""The table is turned only where its shape is wrong, and a square one never is.

Fails: test_a_square_table_is_not_transposed
"""

import jax.numpy as jnp


def one_hot(labels, k):
    table = (labels == jnp.arange(k)[:, None]).astype(jnp.float32)
    return table if table.shape == (len(labels), k) else table.T
