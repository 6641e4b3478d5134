"""A Python loop over the points of X, each compared with all of Y.

Fails: test_the_program_does_not_grow
"""

import jax.numpy as jnp


def pairwise_sqdist(X, Y):
    table = jnp.zeros((len(X), len(Y)))
    for i in range(len(X)):
        table = table.at[i].set(((X[i] - Y) ** 2).sum(-1))
    return table
