"""The sum of squares, without its root.

Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches, test_every_axis_counts
"""

import jax
import jax.numpy as jnp


def tree_stats(tree):
    leaves = [jnp.asarray(leaf, jnp.float32) for leaf in jax.tree.leaves(tree)]
    squares = sum((jnp.vdot(leaf, leaf) for leaf in leaves), start=jnp.float32(0))
    return len(leaves), sum(leaf.size for leaf in leaves), squares
