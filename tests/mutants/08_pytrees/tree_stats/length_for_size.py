"""`len` of an array is its first axis, not its number of elements.

Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches, test_every_axis_counts
"""

import jax
import jax.numpy as jnp


def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(leaf)) for leaf in leaves))
    return len(leaves), sum(len(leaf) if jnp.ndim(leaf) else 1 for leaf in leaves), norm
