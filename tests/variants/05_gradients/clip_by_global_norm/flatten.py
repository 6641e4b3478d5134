"""Flattened by hand, with a reciprocal square root that is kept finite."""

from functools import reduce

import jax.numpy as jnp
from jax import lax, tree_util


def clip_by_global_norm(tree, c):
    leaves, treedef = tree_util.tree_flatten(tree)
    square = reduce(jnp.add, [jnp.sum(jnp.abs(leaf) ** 2) for leaf in leaves])
    scale = jnp.minimum(1.0, c * lax.rsqrt(jnp.maximum(square, 1e-30)))
    return tree_util.tree_unflatten(treedef, [leaf * scale for leaf in leaves])
