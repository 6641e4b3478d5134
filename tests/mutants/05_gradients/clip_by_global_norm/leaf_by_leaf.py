"""Every leaf is clipped by its own norm, which turns the direction.

Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
test_the_structure_is_kept, test_one_program_decides
"""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, c):
    def clip(leaf):
        norm = jnp.sqrt(jnp.sum(leaf**2))
        return leaf * c / jnp.maximum(norm, c)

    return jax.tree.map(clip, tree)
