"""Any entry of the path may be "weights", so children inherit from parents.

Fails: test_only_the_last_entry_counts
"""

from jax.tree_util import DictKey, tree_map_with_path


def decay_mask(params):
    return tree_map_with_path(lambda path, _: DictKey("weights") in path, params)
