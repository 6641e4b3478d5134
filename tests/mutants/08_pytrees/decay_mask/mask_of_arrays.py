"""Array booleans in the mask, which `if` can't decide on while tracing.

Fails: test_it_can_be_used_inside_jit
"""

import jax.numpy as jnp
from jax.tree_util import tree_map_with_path


def decay_mask(params):
    def decays(path, _):
        return jnp.array(getattr(path[-1], "key", None) == "weights")

    return tree_map_with_path(decays, params)
