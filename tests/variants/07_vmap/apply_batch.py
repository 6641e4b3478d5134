"""Other right answers to apply_batch; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% broadcast
# A product by broadcasting, and a sum.
def apply_batch(mat, vs):
    return (mat[None, :, :] * vs[:, None, :]).sum(axis=-1)


# %% einsum
# `einsum` with named axes.
def apply_batch(mat, vs):
    return jnp.einsum("mn,bn->bm", mat, vs)


# %% map_loop
# A compiled loop, by `lax.map` over a closure.
def apply_batch(mat, vs):
    return lax.map(lambda v: mat @ v, vs)


# %% matmul
# The batched product written by hand, under `jit`.
@jax.jit
def apply_batch(mat, vs):
    return vs @ mat.T


# %% nested_vmap
# A dot product mapped over the rows of the matrix, then over the batch.
def apply_batch(mat, vs):
    matvec = jax.vmap(jnp.vdot, in_axes=(0, None))
    return jax.vmap(lambda v: matvec(mat, v))(vs)
