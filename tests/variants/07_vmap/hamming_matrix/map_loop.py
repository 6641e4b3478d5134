"""A loop of the program over the rows of A, and `vmap` for those of B."""

import jax
import jax.numpy as jnp
from jax import lax


def hamming_matrix(A, B):
    def row(a):
        return jax.vmap(lambda b: jnp.where(a == b, 0, 1).sum())(B)

    return lax.map(row, A)
