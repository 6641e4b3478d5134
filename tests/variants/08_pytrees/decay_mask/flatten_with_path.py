"""Paths and leaves in a row, compared with an entry, and put back into the structure."""

import jax
from jax.tree_util import DictKey


def decay_mask(params):
    leaves, treedef = jax.tree.flatten_with_path(params)
    return treedef.unflatten(path[-1:] == (DictKey("weights"),) for path, _ in leaves)
