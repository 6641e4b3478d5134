"""Every element is clipped to the range from -c to c.

Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
test_zeros_stay_zeros, test_the_structure_is_kept, test_one_program_decides
"""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, c):
    return jax.tree.map(lambda leaf: jnp.clip(leaf, -c, c), tree)
