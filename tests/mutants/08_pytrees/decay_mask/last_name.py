"""The last name on the path counts, even if list indices come after it.

Fails: test_only_the_last_entry_counts
"""

from jax.tree_util import DictKey, tree_map_with_path


def decay_mask(params):
    def decays(path, _):
        names = [entry.key for entry in path if isinstance(entry, DictKey)]
        return names[-1:] == ["weights"]

    return tree_map_with_path(decays, params)
