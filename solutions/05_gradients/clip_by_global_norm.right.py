"""Other right answers to clip_by_global_norm; each cell is a suffix to the solution."""

import dataclasses
import operator
from functools import reduce
from typing import Any

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
    square = reduce(jnp.add, [jnp.sum(jnp.abs(leaf) ** 2) for leaf in leaves], jnp.zeros(()))
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
    norm = jnp.sqrt(jax.tree.reduce(operator.add, squares, 0.0))
    return jax.tree.map(lambda leaf: jnp.where(norm > c, leaf * c / norm, leaf), tree)


# %% hypot
# Norms of leaves are joined by `hypot`; the limit over the greater of norm and limit is the factor.
def clip_by_global_norm(tree, c):
    norms = map(jnp.linalg.vector_norm, jax.tree.leaves(tree))
    factor = c / jnp.maximum(reduce(jnp.hypot, norms, 0.0), c)
    return jax.tree.map(factor.__mul__, tree)


# %% vector_class
# Trees as vectors, with operators.
@dataclasses.dataclass(frozen=True)
class Vector:
    tree: Any

    def __matmul__(self, other):
        products = jax.tree.map(lambda a, b: jnp.einsum("...,...->", a, b), self.tree, other.tree)
        return jax.tree.reduce(jnp.add, products, jnp.zeros(()))

    def __mul__(self, number):
        return Vector(jax.tree.map(lambda leaf: jnp.multiply(leaf, number), self.tree))


def clip_by_global_norm(tree, c):
    vector = Vector(tree)
    square = vector @ vector
    is_long = square > jnp.square(c)
    scale = jnp.where(is_long, c * jax.lax.rsqrt(jnp.where(is_long, square, 1.0)), 1.0)
    return (vector * scale).tree


# %% spectral
# The spectral norm of one long row.
def clip_by_global_norm(tree, c):
    flat, unravel = ravel_pytree(tree)
    norm = jnp.linalg.norm(flat[None], 2)
    return unravel(jnp.where(norm > c, flat * (c / norm), flat))


# %% triangular
# The factor R of one long column is its norm. A zero is added, so that there is a column.
def clip_by_global_norm(tree, c):
    flat, unravel = ravel_pytree(tree)
    norm = jnp.abs(jnp.linalg.qr(jnp.append(flat, 0.0)[:, None], mode="r")[0, 0])
    return unravel(jnp.where(norm > c, flat * (c / norm), flat))
