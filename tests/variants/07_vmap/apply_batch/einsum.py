"""Named axes."""

import jax.numpy as jnp


def apply_batch(mat, vs):
    return jnp.einsum("mn,bn->bm", mat, vs)
