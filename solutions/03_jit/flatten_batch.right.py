"""Other right answers to flatten_batch; each cell is a suffix to the solution."""

import math
import operator
from functools import reduce

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree


# %% collapse
# `lax.collapse` of all axes from the second one on, which may be none.
def flatten_batch(x):
    return lax.collapse(x, 1)


# %% mapped_ravel
# `jnp.ravel` of one example, mapped over the batch.
def flatten_batch(x):
    return jax.vmap(jnp.ravel)(x)


# %% numpy_ints
# NumPy computes the lengths, outside the trace, and `lax.reshape` takes them.
@jax.jit
def flatten_batch(x):
    batch, *rest = x.shape
    return lax.reshape(x, (batch, int(np.prod(rest))))


# %% rows_stacked
# A Python loop over the rows, and a separate case for an empty batch.
def flatten_batch(x):
    width = math.prod(x.shape[1:])
    if x.shape[0] == 0:
        return jnp.zeros((0, width), x.dtype)
    return jnp.stack([example.reshape(width) for example in x])


# %% size_of_one
# The width of an example from its abstract value.
def flatten_batch(x):
    example = jax.ShapeDtypeStruct(x.shape[1:], x.dtype)
    return x.reshape((len(x), example.size))


# %% fortran
# Reversed axes in Fortran's order, which is the same order twice reversed.
def flatten_batch(x):
    width = reduce(operator.mul, x.shape[1:], 1)
    return jnp.reshape(x.T, (width, x.shape[0]), order="F").T


# %% gather
# Each element of an example is read at its index.
def flatten_batch(x):
    x = x[..., None]
    index = np.indices(x.shape[1:]).reshape(x.ndim - 1, -1)
    return x[(slice(None), *index)]


# %% recursion
# The last two axes are merged until two are left.
def flatten_batch(x):
    match x.shape:
        case (_,):
            return jnp.expand_dims(x, -1)
        case (_, _):
            return x
        case (*others, m, n):
            return flatten_batch(x.reshape(*others, m * n))


# %% tree
# An example is a tree of one leaf, which JAX flattens.
def flatten_batch(x):
    return jax.vmap(lambda example: ravel_pytree({"example": example})[0])(x)
