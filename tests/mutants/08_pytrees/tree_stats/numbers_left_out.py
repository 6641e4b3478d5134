"""What is no array is skipped without a word.

Fails: test_scalars_are_leaves_of_one_parameter
"""

import jax
import jax.numpy as jnp


def tree_stats(tree):
    leaves = [leaf for leaf in jax.tree.leaves(tree) if isinstance(leaf, jax.Array)]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(leaf)) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm
