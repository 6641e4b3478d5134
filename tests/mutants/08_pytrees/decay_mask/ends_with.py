"""The whole path as a string only has to end with "weights", and "old_weights" does.

Fails: test_names_are_compared_as_a_whole
"""

from jax.tree_util import keystr, tree_map_with_path


def decay_mask(params):
    return tree_map_with_path(lambda path, _: keystr(path).endswith("weights']"), params)
