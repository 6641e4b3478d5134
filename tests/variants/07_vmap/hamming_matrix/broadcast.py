"""All pairs by broadcasting, under `jit`."""

import jax
import jax.numpy as jnp


@jax.jit
def hamming_matrix(A, B):
    return jnp.count_nonzero(A[:, None, :] != B[None, :, :], axis=-1)
