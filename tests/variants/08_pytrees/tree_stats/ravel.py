"""The whole tree as one vector, and its length."""

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def tree_stats(tree):
    vector, _ = ravel_pytree(tree)
    return jax.tree.structure(tree).num_leaves, vector.size, jnp.linalg.norm(vector)
