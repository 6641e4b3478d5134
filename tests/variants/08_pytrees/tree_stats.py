"""Other right answers to tree_stats; each cell is a suffix to the solution."""

import math
import operator

import jax
import jax.numpy as jnp
import numpy as np
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
        self.norms.append(jnp.linalg.norm(jnp.ravel(leaf)))


def tree_stats(tree):
    counter = Counter()
    jax.tree.map(counter.see, tree)
    return counter.leaves, counter.parameters, jnp.linalg.norm(jnp.array(counter.norms))


# %% numpy_and_math
# NumPy and Python floats for the norm, since nothing is traced here.
def tree_stats(tree):
    leaves = [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(tree)]
    parameters = sum(math.prod(leaf.shape) for leaf in leaves)
    return len(leaves), parameters, math.sqrt(sum(float((leaf**2.0).sum()) for leaf in leaves))


# %% ravel
# The whole tree becomes one vector, with its length.
def tree_stats(tree):
    vector, _ = ravel_pytree(tree)
    return jax.tree.structure(tree).num_leaves, vector.size, jnp.linalg.norm(vector)


# %% reduce
# Maps and reductions over the tree itself.
def tree_stats(tree):
    def total(function):
        return jax.tree.reduce(operator.add, jax.tree.map(function, tree), 0)

    squares = total(lambda leaf: jnp.vdot(leaf, leaf))
    return total(lambda _: 1), total(jnp.size), jnp.sqrt(squares)
