"""Other right answers to accumulate_bf16; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% einsum
# The same by `jnp.einsum`.
def accumulate_bf16(x, w):
    return jnp.einsum("mk,kn->mn", x, w, preferred_element_type="float32")


# %% dot_general
# The operation itself.
@jax.jit
def accumulate_bf16(x, w):
    return lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32)


# %% rows
# A vector times a matrix, for each row.
def accumulate_bf16(x, w):
    def one(row):
        return jnp.dot(row, w, preferred_element_type=jnp.float32, precision="highest")

    return jax.vmap(one)(x)


# %% columns
# A matrix times a vector, for each column.
def accumulate_bf16(x, w):
    def one(column):
        return lax.dot(x, column, preferred_element_type=jnp.float32)

    return jax.vmap(one, in_axes=1, out_axes=1)(w)


# %% tensordot
# The last axis of one and the first axis of the other.
def accumulate_bf16(x, w):
    return jnp.tensordot(x, w, axes=1, preferred_element_type=jnp.dtype("float32"))
