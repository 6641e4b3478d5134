"""Other right answers to decay_mask; each cell is a suffix to the solution."""

import jax
from jax.tree_util import DictKey, keystr, tree_map_with_path


# %% flatten_with_path
# Paths and leaves are flattened, compared with an entry, and put back into the structure.
def decay_mask(params):
    leaves, treedef = jax.tree.flatten_with_path(params)
    return treedef.unflatten(path[-1:] == (DictKey("weights"),) for path, _ in leaves)


# %% pattern_match
# A `match` pattern for the end of the path.
def is_weights(path, _):
    match path:
        case (*_, DictKey(key="weights")):
            return True
    return False


def decay_mask(params):
    return tree_map_with_path(is_weights, params)


# %% recursion
# A recursion that passes each child its name.
def decay_mask(params, name=None):
    if params is None:
        return None
    if isinstance(params, dict):
        return {key: decay_mask(child, key) for key, child in params.items()}
    if isinstance(params, list | tuple):
        return type(params)(decay_mask(child) for child in params)
    return name == "weights"


# %% simple_names
# `keystr` gives the last entry as plain text, and the map has its newer name.
def decay_mask(params):
    def decays(path, leaf):
        del leaf
        return keystr(path[-1:], simple=True) == "weights"

    return jax.tree.map_with_path(decays, params)
