"""The norm of the vector of the leaves' norms, counted along the way in a class."""

import jax
import jax.numpy as jnp


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
