"""A pattern for the end of the path."""

from jax.tree_util import DictKey, tree_map_with_path


def is_weights(path, _):
    match path:
        case (*_, DictKey(key="weights")):
            return True
    return False


def decay_mask(params):
    return tree_map_with_path(is_weights, params)
