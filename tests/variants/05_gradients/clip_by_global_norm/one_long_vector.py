"""The leaves as one long vector, and back."""

import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def clip_by_global_norm(tree, c):
    flat, unravel = ravel_pytree(tree)
    norm = jnp.linalg.norm(flat)
    return unravel(flat * jnp.minimum(1.0, c / (norm + 1e-6)))
