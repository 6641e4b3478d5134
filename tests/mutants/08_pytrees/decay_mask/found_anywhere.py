"""The path is made a string, and "weights" is searched in it.

Fails: test_names_are_compared_as_a_whole, test_only_the_last_entry_counts
"""

from jax.tree_util import keystr, tree_map_with_path


def decay_mask(params):
    return tree_map_with_path(lambda path, _: "weights" in keystr(path), params)
