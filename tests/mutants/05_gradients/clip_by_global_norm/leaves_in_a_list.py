"""The scaled leaves come back in a list, without their tree.

Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_the_structure_is_kept,
test_one_program_decides
"""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, c):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))
    return [leaf * (c / jnp.maximum(norm, c)) for leaf in leaves]
