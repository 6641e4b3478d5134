"""What learners get wrong in decay_mask; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.tree_util import DictKey, keystr, tree_map_with_path


# %% found_anywhere
# "weights" is searched for as text anywhere in the path.
# Do: Compare the last entry of the path, as a whole.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_names_are_compared_as_a_whole, test_only_the_last_entry_counts
def decay_mask(params):
    return tree_map_with_path(lambda path, _: "weights" in keystr(path), params)


# %% matrices_decay
# Every leaf with two axes is treated as a weight.
# Do: Look at the path of a leaf, not at its shape.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_shapes_and_values_have_no_influence, test_names_are_compared_as_a_whole,
# test_only_the_last_entry_counts, test_the_structure_is_kept, test_details
def decay_mask(params):
    return jax.tree.map(lambda leaf: leaf.ndim > 1, params)


# %% any_entry
# Any entry of the path may be "weights", so children inherit it from their parents.
# Do: Look at the last entry only.
# Breaks: Returns 2
# Fails: test_only_the_last_entry_counts
def decay_mask(params):
    return tree_map_with_path(lambda path, _: DictKey("weights") in path, params)


# %% last_name
# The last name in the path decides, even if list indices come after it.
# Do: Take the last entry of the path, whether it is a name or an index.
# Breaks: Returns 2
# Fails: test_only_the_last_entry_counts
def decay_mask(params):
    def decays(path, _):
        names = [entry.key for entry in path if isinstance(entry, DictKey)]
        return names[-1:] == ["weights"]

    return tree_map_with_path(decays, params)


# %% ends_with
# The path as text has to end with "weights", but so does "old_weights".
# Do: Compare the key itself with `==`, not the end of a text.
# Breaks: Returns 2
# Fails: test_names_are_compared_as_a_whole
def decay_mask(params):
    return tree_map_with_path(lambda path, _: keystr(path).endswith("weights']"), params)


# %% starts_with
# The last key only has to begin with "weights".
# Do: Compare the key itself with `==`, not the beginning of a text.
# Breaks: Returns 2
# Fails: test_names_are_compared_as_a_whole, test_details
def decay_mask(params):
    def decays(path, _):
        return str(getattr(path[-1], "key", "")).startswith("weights")

    return tree_map_with_path(decays, params)


# %% entry_compared_with_text
# A path's entry is an object and never equals a string: everything is False.
# Do: Compare the `key` of the entry.
# Breaks: Returns 2
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts, test_the_structure_is_kept,
# test_it_can_be_used_inside_jit, test_details
def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1] == "weights", params)


# %% every_entry_has_a_key
# The last entry is assumed to be a dict's, but a list's entry has no `key`.
# Do: First check whether the last entry belongs to a dict.
# Breaks: Returns 2
# Fails: test_only_the_last_entry_counts, test_the_structure_is_kept, test_details
def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1].key == "weights", params)


# %% flat_list
# The booleans are returned in a flat list, without the structure.
# Do: Put the booleans back into the structure of the parameters.
# Breaks: Returns 1
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts, test_the_structure_is_kept,
# test_it_can_be_used_inside_jit, test_details
def decay_mask(params):
    leaves, _ = jax.tree_util.tree_flatten_with_path(params)
    return [getattr(path[-1], "key", None) == "weights" for path, _ in leaves]


# %% lists_become_tuples
# A recursion returns tuples for lists.
# Do: Let JAX rebuild the containers. It keeps lists.
# Breaks: Returns 1
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts, test_the_structure_is_kept,
# test_it_can_be_used_inside_jit, test_details
def decay_mask(params, name=None):
    if isinstance(params, dict):
        return {key: decay_mask(child, key) for key, child in params.items()}
    if isinstance(params, list | tuple):
        return tuple(decay_mask(child) for child in params)
    return None if params is None else name == "weights"


# %% none_is_false
# A recursion treats None as a leaf.
# Do: Let JAX go through the tree. It doesn't treat None as a leaf.
# Breaks: Returns 1
# Fails: test_the_structure_is_kept
def decay_mask(params, name=None):
    if isinstance(params, dict):
        return {key: decay_mask(child, key) for key, child in params.items()}
    if isinstance(params, list | tuple):
        return type(params)(decay_mask(child) for child in params)
    return name == "weights"


# %% mask_of_arrays
# The mask contains arrays of booleans, which `if` can't use while tracing.
# Do: Put Python bools into the mask.
# Breaks: Returns 1
# Fails: test_it_can_be_used_inside_jit, test_details
def decay_mask(params):
    def decays(path, _):
        return jnp.array(getattr(path[-1], "key", None) == "weights")

    return tree_map_with_path(decays, params)


# %% once missed
import re


# %% keys_are_strings
# A pattern is matched against the last key: a number fails.
# Breaks: Details 1
# Fails: test_details
def decay_mask(params):
    def decays(path, _):
        if not path or not isinstance(path[-1], DictKey):
            return False
        return re.fullmatch("weights", path[-1].key) is not None

    return tree_map_with_path(decays, params)


# %% removed_function
# `jax.tree_map`, which old tutorials use, was removed from JAX, and never passed a path.
# Breaks: Returns 1
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts, test_the_structure_is_kept,
# test_it_can_be_used_inside_jit, test_details
def decay_mask(params):
    if isinstance(params, dict):
        return {name: decay_mask(child) or name == "weights" for name, child in params.items()}
    return jax.tree_map(lambda leaf: leaf.ndim > 1, params)


# %% split_at_slashes
# The path becomes text, and is split at slashes, but a key may also contain one.
# Breaks: Returns 2
# Fails: test_names_are_compared_as_a_whole
def decay_mask(params):
    def decays(path, _):
        return keystr(path, simple=True, separator="/").split("/")[-1] == "weights"

    return tree_map_with_path(decays, params)


# %% zero_is_left_alone
# Weights that are already zero are left out, which needs their values.
# Breaks: Returns 3
# Fails: test_shapes_and_values_have_no_influence, test_it_can_be_used_inside_jit, test_details
def decay_mask(params):
    def decays(path, leaf):
        return getattr(path[-1], "key", None) == "weights" and bool((leaf != 0).any())

    return tree_map_with_path(decays, params)


# %% path_of_a_lone_array
# Each path is assumed to have a last entry, but the path of a lone array is empty.
# Breaks: Details 2
# Fails: test_details
def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1] == DictKey("weights"), params)


# %% at_most_two_axes
# Weights with more than two axes, as in a convolution, are left out.
# Breaks: Returns 3
# Fails: test_shapes_and_values_have_no_influence
def decay_mask(params):
    def decays(path, leaf):
        return path[-1:] == (DictKey("weights"),) and leaf.ndim <= 2

    return tree_map_with_path(decays, params)


# %% empty_is_false
# `or` is meant for a leaf, whose mask is False. But an empty dict is also treated as false.
# Breaks: Details 3
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
