"""Two sets of one shape are taken for one set, so half of the table mirrors the other.

Fails: test_nothing_is_mixed_up_when_every_shape_fits
"""

import jax.numpy as jnp


def pairwise_sqdist(X, Y):
    table = ((X[:, None] - Y) ** 2).sum(-1)
    if X.shape != Y.shape:
        return table
    return jnp.triu(table) + jnp.triu(table, 1).T
