"""`ord=2` is the length of a vector, and for a matrix something else.

Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches, test_every_axis_counts
"""

import jax
import jax.numpy as jnp


def norm_of(leaf):
    return jnp.linalg.norm(leaf, ord=2) if leaf.ndim == 2 else jnp.sqrt(jnp.sum(leaf**2))


def tree_stats(tree):
    leaves = [jnp.atleast_1d(leaf).astype(float) for leaf in jax.tree.leaves(tree)]
    squares = sum(norm_of(leaf) ** 2 if leaf.size else 0 for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)
