"""The tree is always scaled to length c, so a short gradient becomes longer.

Fails: test_a_short_gradient_stays_as_it_is, test_one_program_decides
"""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return jax.tree.map(lambda leaf: leaf * (c / jnp.maximum(norm, 1e-6)), tree)
