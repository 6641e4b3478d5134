"""Written for the dict or the list that the author happened to have.

Fails: test_all_leaves_share_one_factor, test_zeros_stay_zeros, test_the_structure_is_kept
"""

import jax.numpy as jnp


def clip_by_global_norm(tree, c):
    items = tree if isinstance(tree, dict) else dict(enumerate(tree))
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in items.values()))
    scale = c / jnp.maximum(norm, c)
    new = {name: scale * leaf for name, leaf in items.items()}
    return new if isinstance(tree, dict) else list(new.values())
