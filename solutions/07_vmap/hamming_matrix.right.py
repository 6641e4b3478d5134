"""Other right answers to hamming_matrix; each cell is a suffix to the solution."""

import operator
from functools import partial, reduce

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% broadcast
# All pairs by broadcasting, under `jit`.
@jax.jit
def hamming_matrix(A, B):
    return jnp.count_nonzero(A[:, None, :] != B[None, :, :], axis=-1)


# %% map_loop
# A compiled loop over the rows of A, and `vmap` over those of B.
def hamming_matrix(A, B):
    def row(a):
        return jax.vmap(lambda b: jnp.where(a == b, 0, 1).sum())(B)

    return lax.map(row, A)


# %% out_axes
# The maps are in the other order, and the outer axis is put last.
def hamming_matrix(A, B):
    def agreements(a, b):
        return jnp.equal(a, b).astype(jnp.int32).sum()

    from_each = jax.vmap(agreements, in_axes=(0, None))
    return A.shape[1] - jax.vmap(from_each, in_axes=(None, 0), out_axes=1)(A, B)


# %% scan_over_columns
# A running count, one column at a time.
def hamming_matrix(A, B):
    def add(count, column):
        a, b = column
        return count + (a[:, None] != b[None, :]), None

    start = jnp.zeros((A.shape[0], B.shape[0]), jnp.int32)
    return lax.scan(add, start, (A.T, B.T))[0]


# %% vectorize
# `jnp.vectorize` maps over all axes that its signature doesn't name.
@partial(jnp.vectorize, signature="(d),(d)->()")
def distance(a, b):
    return (a != b).sum()


def hamming_matrix(A, B):
    return distance(A[:, None], B)


# %% along_axis
# `apply_along_axis` over the rows of A, and then over those of B.
def hamming_matrix(A, B):
    def from_one(a):
        return jnp.apply_along_axis(lambda b: jnp.count_nonzero(a != b), 1, B)

    return jnp.apply_along_axis(from_one, 1, A)


# %% lax_reduce
# A reduction by a given operator, of integers.
def hamming_matrix(A, B):
    differ = lax.ne(*jnp.broadcast_arrays(A[:, None], B[None]))
    return lax.reduce(differ.astype(jnp.int32), np.int32(0), operator.add, (2,))


# %% sum_over_places
# A Python sum over the places, of which there are few; the program depends on d alone.
def hamming_matrix(A, B):
    start = jnp.zeros((len(A), len(B)), jnp.int32)
    places = (A[:, j, None] != B[None, :, j] for j in range(A.shape[1]))
    return reduce(operator.add, places, start)
