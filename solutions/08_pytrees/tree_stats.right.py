"""Other right answers to tree_stats; each cell is a suffix to the solution."""

import itertools
import math
import operator
from functools import reduce

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree


# %% norm_of_norms
# The norm of the leaves' norms; a class counts while the tree is mapped.
class Counter:
    def __init__(self):
        self.leaves = self.parameters = 0
        self.norms = [0.0]

    def see(self, leaf):
        self.leaves += 1
        self.parameters += jnp.size(leaf)
        self.norms.append(jnp.linalg.norm(jnp.ravel(leaf).astype(jnp.float32)))


def tree_stats(tree):
    counter = Counter()
    jax.tree.map(counter.see, tree)
    return counter.leaves, counter.parameters, jnp.linalg.norm(jnp.array(counter.norms))


# %% numpy_and_math
# NumPy and Python floats for the norm, since nothing is traced here.
def tree_stats(tree):
    leaves = [np.asarray(leaf, np.float64) for leaf in jax.tree_util.tree_leaves(tree)]
    parameters = sum(math.prod(leaf.shape) for leaf in leaves)
    return len(leaves), parameters, math.sqrt(sum(float((leaf**2.0).sum()) for leaf in leaves))


# %% ravel
# The whole tree becomes one vector, with its length.
def tree_stats(tree):
    vector, _ = ravel_pytree(jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), tree))
    return jax.tree.structure(tree).num_leaves, vector.size, jnp.linalg.norm(vector)


# %% reduce
# Maps and reductions over the tree itself.
def tree_stats(tree):
    def total(function):
        return jax.tree.reduce(operator.add, jax.tree.map(function, tree), 0)

    squares = total(lambda leaf: jnp.sum(jnp.asarray(leaf, jnp.float32) ** 2))
    return total(lambda _: 1), total(jnp.size), jnp.sqrt(squares)


# %% fold
# One fold over the leaves carries all three results.
def tree_stats(tree):
    def see(state, leaf):
        leaves, parameters, norm = state
        own = jnp.linalg.norm(jnp.asarray(leaf, jnp.float32).reshape(-1))
        return leaves + 1, parameters + np.size(leaf), jnp.hypot(norm, own)

    return jax.tree.reduce(see, tree, (0, 0, jnp.zeros(())))


# %% math_hypot
# All numbers in one Python list, whose length is counted and whose norm is `math.hypot`.
def tree_stats(tree):
    leaves = jax.tree_util.tree_leaves(jax.device_get(tree))
    numbers = [*itertools.chain.from_iterable(np.ravel(leaf).tolist() for leaf in leaves)]
    return len(leaves), len(numbers), math.hypot(*numbers)


# %% imaginary
# The squares are products of imaginary numbers with their conjugates.
def tree_stats(tree):
    leaves = [jnp.asarray(leaf, jnp.float32) for leaf in jax.tree.leaves(tree)]
    numbers = [lax.complex(jnp.zeros_like(leaf), leaf) for leaf in leaves]
    squares = [jnp.real(jnp.vdot(z, z)) for z in numbers]
    return len(leaves), reduce(lambda n, leaf: n + leaf.size, leaves, 0), sum(squares, 0.0) ** 0.5


# %% counted_by_numpy
# The counts are integers of NumPy, and each leaf is scaled by its largest size.
def norm_of(leaf):
    leaf = np.asarray(leaf, np.float32).ravel()
    largest = np.max(np.abs(leaf), initial=0)
    scale = largest if 0 < largest < np.inf else np.float32(1)
    return scale * jnp.linalg.norm(leaf / scale)


def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    sizes = np.array([np.size(leaf) for leaf in leaves], np.int64)
    return (
        np.int64(len(sizes)),
        np.sum(sizes),
        jnp.linalg.norm(jnp.array([0.0, *map(norm_of, leaves)])),
    )
