"""What the suite of decay_mask once missed; each cell is a suffix to the solution."""

import re

import jax
from jax.tree_util import DictKey, keystr, tree_map_with_path


# %% keys_are_strings
# A pattern for the last key: a number as a key is an error.
# Fails: test_details
def decay_mask(params):
    def decays(path, _):
        if not path or not isinstance(path[-1], DictKey):
            return False
        return re.fullmatch("weights", path[-1].key) is not None

    return tree_map_with_path(decays, params)


# %% removed_function
# `jax.tree_map`, which old tutorials use, was removed from JAX, and never passed a path.
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts, test_the_structure_is_kept,
# test_it_can_be_used_inside_jit, test_details
def decay_mask(params):
    if isinstance(params, dict):
        return {name: decay_mask(child) or name == "weights" for name, child in params.items()}
    return jax.tree_map(lambda leaf: leaf.ndim > 1, params)


# %% split_at_slashes
# The path becomes text, and is split at slashes, but a key may have one, too.
# Fails: test_names_are_compared_as_a_whole
def decay_mask(params):
    def decays(path, _):
        return keystr(path, simple=True, separator="/").split("/")[-1] == "weights"

    return tree_map_with_path(decays, params)


# %% zero_is_left_alone
# Weights that are already zero are left out, which needs their values.
# Fails: test_shapes_and_values_have_no_influence, test_it_can_be_used_inside_jit, test_details
def decay_mask(params):
    def decays(path, leaf):
        return getattr(path[-1], "key", None) == "weights" and bool((leaf != 0).any())

    return tree_map_with_path(decays, params)


# %% path_of_a_lone_array
# Each path is taken to have a last entry, but the path of a lone array is empty.
# Fails: test_details
def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1] == DictKey("weights"), params)


# %% at_most_two_axes
# Weights with more than two axes, as in a convolution, are left out.
# Fails: test_shapes_and_values_have_no_influence
def decay_mask(params):
    def decays(path, leaf):
        return path[-1:] == (DictKey("weights"),) and leaf.ndim <= 2

    return tree_map_with_path(decays, params)


# %% empty_is_false
# `or` is meant for a leaf, whose mask is False. But an empty dict counts as false, too.
# Fails: test_details
def decay_mask(params):
    def of_child(name, child):
        found = decay_mask(child)
        return found or (name == "weights" if child is not None else None)

    if isinstance(params, dict):
        return {name: of_child(name, child) for name, child in params.items()}
    if isinstance(params, list | tuple):
        return type(params)(decay_mask(child) for child in params)
    return None if params is None else False
