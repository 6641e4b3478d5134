"""The last entry is thought to be a dict's, and the one of a list has no `key`.

Fails: test_only_the_last_entry_counts, test_lists_and_tuples_are_kept
"""

from jax.tree_util import tree_map_with_path


def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1].key == "weights", params)
