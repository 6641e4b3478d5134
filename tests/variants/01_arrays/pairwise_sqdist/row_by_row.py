"""One row of the table after the other, in a loop of the program."""

import jax.numpy as jnp
from jax import lax


def pairwise_sqdist(X, Y):
    return lax.map(lambda x: jnp.square(Y - x).sum(axis=1), X)
