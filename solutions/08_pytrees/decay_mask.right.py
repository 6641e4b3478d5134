"""Other right answers to decay_mask; each cell is a suffix to the solution."""

import re

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


# %% dicts_as_leaves
# Dicts are treated as leaves, and each of them is gone through by its names.
def decay_mask(params, name=None):
    def mark(node):
        if not isinstance(node, dict):
            return name == "weights" and node is params
        return {key: decay_mask(child, key) for key, child in node.items()}

    return jax.tree.map(mark, params, is_leaf=lambda node: isinstance(node, dict))


# %% pattern_of_text
# A regular expression for the end of the path as text.
def decay_mask(params):
    def decays(path, _):
        return re.search(r"\['weights'\]$", jax.tree_util.keystr(path)) is not None

    return jax.tree_util.tree_map_with_path(decays, params)


# %% structure_only
# The structure is walked without any leaf: kind of container, keys, children.
def walk(treedef, key):
    if treedef == jax.tree.structure(0):
        yield key == "weights"
    elif (node := treedef.node_data()) is not None:
        kind, keys = node
        children = treedef.children()
        names = keys if kind is dict else [None] * len(children)
        for name, child in zip(names, children, strict=True):
            yield from walk(child, name)


def decay_mask(params):
    treedef = jax.tree.structure(params)
    return treedef.unflatten(walk(treedef, None))
