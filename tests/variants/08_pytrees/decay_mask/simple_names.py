"""The last entry's plain text, by `keystr`, under the newer name of the map."""

import jax
from jax.tree_util import keystr


def decay_mask(params):
    def decays(path, leaf):
        del leaf
        return keystr(path[-1:], simple=True) == "weights"

    return jax.tree.map_with_path(decays, params)
