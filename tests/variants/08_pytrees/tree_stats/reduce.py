"""Maps and reductions over the tree itself."""

import operator

import jax
import jax.numpy as jnp


def tree_stats(tree):
    def total(function):
        return jax.tree.reduce(operator.add, jax.tree.map(function, tree), 0)

    squares = total(lambda leaf: jnp.vdot(leaf, leaf))
    return total(lambda _: 1), total(jnp.size), jnp.sqrt(squares)
