"""Rows times columns: written for weights and biases.

Fails: test_every_axis_counts
"""

import jax
import jax.numpy as jnp


def size(leaf):
    rows, columns, *_ = (*jnp.shape(leaf), 1, 1)
    return rows * columns


def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(leaf)) for leaf in leaves))
    return len(leaves), sum(map(size, leaves)), norm
