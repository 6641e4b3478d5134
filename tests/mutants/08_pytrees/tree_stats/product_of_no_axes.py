"""The size is put together from the shape, and a scalar without axes comes out as 0.

Fails: test_scalars_are_leaves_of_one_parameter
"""

import math

import jax
import jax.numpy as jnp


def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(leaf)) for leaf in leaves))
    sizes = [math.prod(jnp.shape(leaf)) if jnp.ndim(leaf) else 0 for leaf in leaves]
    return len(leaves), sum(sizes), norm
