"""A Python `if` on the norm.

Fails: test_one_program_decides
"""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    if norm > c:
        return jax.tree.map(lambda leaf: leaf * c / norm, tree)
    return tree
