"""Other right answers to sgd; each cell is a suffix to the solution."""

import dataclasses
import operator
from typing import Any

import jax
import jax.numpy as jnp
from jax import tree_util


# %% flatten_up_to
# Both trees are flattened by the structure of the parameters, which refuses any other.
def sgd(params, grads, lr):
    leaves, treedef = jax.tree.flatten(params)
    others = treedef.flatten_up_to(grads)
    if not tree_util.all_leaves(others):
        raise ValueError(f"no gradient for each of the leaves: {others}")
    pairs = zip(leaves, others, strict=True)
    return treedef.unflatten([(p - lr * g).astype(p.dtype) for p, g in pairs])


# %% optimizer_class
# A small optimiser object, and `jax.tree_util.tree_map`, which still exists.
@dataclasses.dataclass(frozen=True)
class Descent:
    rate: object

    def __call__(self, p, g):
        return p - (self.rate * g).astype(p.dtype)


def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("params and grads differ")
    return tree_util.tree_map(Descent(lr), params, grads)


# %% recursion
# A recursion, to which JAX says how a tree begins: with which branches, and how to join them.
def sgd(params, grads, lr):
    def is_branch(node):
        return node is not params

    parts, root = jax.tree.flatten(params, is_leaf=is_branch)
    if tree_util.all_leaves([params]):
        if not tree_util.all_leaves([grads]):
            raise ValueError(f"{type(grads)} is no array")
        return params - jnp.astype(lr * grads, params.dtype)
    others = root.flatten_up_to(grads)
    return root.unflatten([sgd(p, g, lr) for p, g in zip(parts, others, strict=True)])


# %% two_maps
# Updates first, then their sum with the parameters, under `jit`.
@jax.jit
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("each parameter needs an update")
    updates = jax.tree.map(lambda p, g: (-lr * g).astype(p.dtype), params, grads)
    return jax.tree.map(operator.add, params, updates)


# %% operators
# Trees with operators of their own, so that the step reads as on paper.
@dataclasses.dataclass(frozen=True)
class Tree:
    value: Any

    def __sub__(self, other):
        if jax.tree.structure(self.value) != jax.tree.structure(other.value):
            raise ValueError("no difference of different trees")
        return Tree(
            jax.tree.map(lambda a, b: jnp.subtract(a, b).astype(a.dtype), self.value, other.value)
        )

    def __rmul__(self, number):
        return Tree(jax.tree.map(lambda leaf: jnp.multiply(number, leaf), self.value))


def sgd(params, grads, lr):
    return (Tree(params) - lr * Tree(grads)).value


# %% transposed_pairs
# A tree of pairs is turned into a pair of trees, of which one is kept.
def sgd(params, grads, lr):
    outer, inner = jax.tree.structure(params), jax.tree.structure((0, 0))
    if outer != jax.tree.structure(grads):
        raise ValueError(f"the gradients aren't {outer}")

    def pair(p, g):
        new = jnp.asarray(p - lr * g, jnp.result_type(p))
        return new, g

    return jax.tree.transpose(outer, inner, jax.tree.map(pair, params, grads))[0]


# %% zipped_leaves
# Leaves are zipped, after the structures are compared; the product is rounded to each dtype.
def sgd(params, grads, lr):
    if (treedef := jax.tree.structure(params)) != (other := jax.tree.structure(grads)):
        raise ValueError(f"{treedef} isn't {other}")
    leaves = map(jax.tree.leaves, (params, grads))
    return jax.tree.unflatten(
        treedef, (p.at[...].add(-(lr * g).astype(p.dtype)) for p, g in zip(*leaves, strict=True))
    )
