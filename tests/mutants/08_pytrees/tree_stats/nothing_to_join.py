"""All leaves are joined into one vector, which needs at least one.

Fails: test_a_tree_without_leaves_has_norm_zero
"""

import jax
import jax.numpy as jnp


def tree_stats(tree):
    leaves = [jnp.ravel(leaf) for leaf in jax.tree.leaves(tree)]
    everything = jnp.concatenate(leaves)
    return len(leaves), everything.size, jnp.linalg.norm(everything)
