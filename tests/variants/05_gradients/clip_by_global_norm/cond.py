"""`lax.cond` between the scaled tree and the tree itself."""

import jax
import jax.numpy as jnp
from jax import lax


def clip_by_global_norm(tree, c):
    norms = jnp.array([jnp.linalg.norm(leaf.ravel()) for leaf in jax.tree.leaves(tree)])
    norm = jnp.linalg.norm(norms)
    return lax.cond(
        norm <= c,
        lambda leaves: leaves,
        lambda leaves: jax.tree.map(lambda leaf: leaf * (c / norm), leaves),
        tree,
    )
