"""Other right answers to pairwise_sqdist; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% coordinate_by_coordinate
# A running sum over the coordinates, which never holds more than one table.
def pairwise_sqdist(X, Y):
    def add(table, coordinate):
        x, y = coordinate
        return table + jnp.subtract.outer(x, y) ** 2, None

    return lax.scan(add, jnp.zeros((X.shape[0], Y.shape[0])), (X.T, Y.T))[0]


# %% einsum
# Explicit axes, and `einsum` for the sum of squares, compiled.
@jax.jit
def pairwise_sqdist(X, Y):
    difference = jnp.expand_dims(X, 1) - jnp.expand_dims(Y, 0)
    return jnp.einsum("nmd,nmd->nm", difference, difference)


# %% expanded_square
# The square is expanded, so that most of the work is a matrix product.
def pairwise_sqdist(X, Y):
    x_norms = jnp.sum(X * X, axis=1, keepdims=True)
    y_norms = jnp.sum(Y * Y, axis=1)
    return x_norms + y_norms - 2 * (X @ Y.T)


# %% nested_vmap
# The distance of two points, mapped over Y and then over X.
def sqdist(x, y):
    return jnp.vdot(x - y, x - y)


def pairwise_sqdist(X, Y):
    to_all = jax.vmap(sqdist, in_axes=(None, 0))
    return jax.vmap(to_all, in_axes=(0, None))(X, Y)


# %% row_by_row
# One row of the table after the other, in a compiled loop.
def pairwise_sqdist(X, Y):
    return lax.map(lambda x: jnp.square(Y - x).sum(axis=1), X)
