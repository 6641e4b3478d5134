"""Other right answers to clip_by_global_norm; each cell is a suffix to the solution."""

import operator
from functools import reduce

import jax
import jax.numpy as jnp
from jax import lax, tree_util
from jax.flatten_util import ravel_pytree


# %% cond
# `lax.cond` between the scaled tree and the tree itself.
def clip_by_global_norm(tree, c):
    norms = jnp.array([jnp.linalg.norm(leaf.ravel()) for leaf in jax.tree.leaves(tree)])
    norm = jnp.linalg.norm(norms)
    return lax.cond(
        norm <= c,
        lambda leaves: leaves,
        lambda leaves: jax.tree.map(lambda leaf: leaf * (c / norm), leaves),
        tree,
    )


# %% flatten
# The tree is flattened by hand, and the reciprocal square root is kept finite.
def clip_by_global_norm(tree, c):
    leaves, treedef = tree_util.tree_flatten(tree)
    square = reduce(jnp.add, [jnp.sum(jnp.abs(leaf) ** 2) for leaf in leaves])
    scale = jnp.minimum(1.0, c * lax.rsqrt(jnp.maximum(square, 1e-30)))
    return tree_util.tree_unflatten(treedef, [leaf * scale for leaf in leaves])


# %% one_long_vector
# The leaves are joined into one long vector, and split again.
def clip_by_global_norm(tree, c):
    flat, unravel = ravel_pytree(tree)
    norm = jnp.linalg.norm(flat)
    return unravel(flat * jnp.minimum(1.0, c / (norm + 1e-6)))


# %% reduced_tree
# `jax.tree.reduce` for the norm and `where` for the decision, leaf by leaf.
@jax.jit
def clip_by_global_norm(tree, c):
    squares = jax.tree.map(lambda leaf: jnp.vdot(leaf, leaf), tree)
    norm = jnp.sqrt(jax.tree.reduce(operator.add, squares))
    return jax.tree.map(lambda leaf: jnp.where(norm > c, leaf * c / norm, leaf), tree)
