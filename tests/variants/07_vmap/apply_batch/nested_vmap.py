"""A dot product mapped over the rows of the matrix, then over the batch."""

import jax
import jax.numpy as jnp


def apply_batch(mat, vs):
    matvec = jax.vmap(jnp.vdot, in_axes=(0, None))
    return jax.vmap(lambda v: matvec(mat, v))(vs)
