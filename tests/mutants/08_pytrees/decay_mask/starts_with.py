"""The last key only has to begin with "weights".

Fails: test_names_are_compared_as_a_whole
"""

from jax.tree_util import tree_map_with_path


def decay_mask(params):
    def decays(path, _):
        return str(getattr(path[-1], "key", "")).startswith("weights")

    return tree_map_with_path(decays, params)
