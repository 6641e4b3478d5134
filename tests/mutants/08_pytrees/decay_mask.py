"""Wrong answers to decay_mask; each cell is a suffix to the solution."""

import re
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jax.tree_util import DictKey, keystr, tree_flatten_with_path, tree_map_with_path


# %% any_entry
# Any entry of the path may be "weights", so children inherit it from their parents.
# Fails: test_only_the_last_entry_counts, test_lists_and_tuples_are_kept
def decay_mask(params):
    return tree_map_with_path(lambda path, _: DictKey("weights") in path, params)


# %% ends_with
# The path as text has to end with "weights", and "old_weights" does, too.
# Fails: test_names_are_compared_as_a_whole, test_lists_and_tuples_are_kept
def decay_mask(params):
    return tree_map_with_path(lambda path, _: keystr(path).endswith("weights']"), params)


# %% entry_compared_with_text
# A path's entry is an object and never equals a string: everything is False.
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
# test_lists_and_tuples_are_kept, test_none_stays_none, test_it_can_be_used_inside_jit
def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1] == "weights", params)


# %% every_entry_has_a_key
# The last entry is taken for a dict's, but a list's entry has no `key`.
# Fails: test_only_the_last_entry_counts, test_lists_and_tuples_are_kept,
# test_it_can_be_used_inside_jit
def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1].key == "weights", params)


# %% flat_list
# The booleans are returned in a flat list, without the structure.
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
# test_lists_and_tuples_are_kept, test_none_stays_none, test_it_can_be_used_inside_jit
def decay_mask(params):
    leaves, _ = jax.tree_util.tree_flatten_with_path(params)
    return [getattr(path[-1], "key", None) == "weights" for path, _ in leaves]


# %% found_anywhere
# "weights" is searched anywhere in the path as text.
# At most half of the points.
# Fails: test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
# test_lists_and_tuples_are_kept
def decay_mask(params):
    return tree_map_with_path(lambda path, _: "weights" in keystr(path), params)


# %% keys_are_strings
# A pattern for the last key: a number as a key is an error.
# Fails: test_lists_and_tuples_are_kept
def decay_mask(params):
    def decays(path, _):
        if not path or not isinstance(path[-1], DictKey):
            return False
        return re.fullmatch("weights", path[-1].key) is not None

    return tree_map_with_path(decays, params)


# %% last_name
# The last name on the path decides, even if list indices come after it.
# Fails: test_only_the_last_entry_counts
def decay_mask(params):
    def decays(path, _):
        names = [entry.key for entry in path if isinstance(entry, DictKey)]
        return names[-1:] == ["weights"]

    return tree_map_with_path(decays, params)


# %% layers_only
# It works for a list of layers only.
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
# test_lists_and_tuples_are_kept, test_none_stays_none, test_it_can_be_used_inside_jit
def decay_mask(params):
    return [{name: name == "weights" for name in layer} for layer in params]


# %% lists_become_tuples
# A recursion that returns tuples for lists.
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
# test_lists_and_tuples_are_kept, test_none_stays_none, test_it_can_be_used_inside_jit
def decay_mask(params, name=None):
    if isinstance(params, dict):
        return {key: decay_mask(child, key) for key, child in params.items()}
    if isinstance(params, list | tuple):
        return tuple(decay_mask(child) for child in params)
    return None if params is None else name == "weights"


# %% mask_of_arrays
# The mask holds arrays of booleans, which `if` can't use while tracing.
# Fails: test_lists_and_tuples_are_kept, test_it_can_be_used_inside_jit
def decay_mask(params):
    def decays(path, _):
        return jnp.array(getattr(path[-1], "key", None) == "weights")

    return tree_map_with_path(decays, params)


# %% matrices_decay
# Every leaf with two axes is taken for a weight.
# At most half of the points.
# Fails: test_shapes_and_values_have_no_influence, test_names_are_compared_as_a_whole,
# test_only_the_last_entry_counts, test_lists_and_tuples_are_kept, test_none_stays_none,
# test_it_can_be_used_inside_jit
def decay_mask(params):
    return jax.tree.map(lambda leaf: leaf.ndim > 1, params)


# %% none_is_false
# A recursion that treats None as a leaf.
# Fails: test_none_stays_none
def decay_mask(params, name=None):
    if isinstance(params, dict):
        return {key: decay_mask(child, key) for key, child in params.items()}
    if isinstance(params, list | tuple):
        return type(params)(decay_mask(child) for child in params)
    return name == "weights"


# %% removed_function
# `jax.tree_map`, which old tutorials use, was removed from JAX, and never passed a path.
# Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
# test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
# test_lists_and_tuples_are_kept, test_none_stays_none, test_it_can_be_used_inside_jit
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


# %% starts_with
# The last key only has to begin with "weights".
# Fails: test_names_are_compared_as_a_whole, test_lists_and_tuples_are_kept
def decay_mask(params):
    def decays(path, _):
        return str(getattr(path[-1], "key", "")).startswith("weights")

    return tree_map_with_path(decays, params)


# %% zero_is_left_alone
# Weights that are already zero are left out, which needs their values.
# Fails: test_shapes_and_values_have_no_influence, test_lists_and_tuples_are_kept,
# test_it_can_be_used_inside_jit
def decay_mask(params):
    def decays(path, leaf):
        return getattr(path[-1], "key", None) == "weights" and bool((leaf != 0).any())

    return tree_map_with_path(decays, params)


# %% same_object
# Leaves are found again by `id`, so an array in two places has one answer.
# Fails: test_shapes_and_values_have_no_influence, test_it_can_be_used_inside_jit
def decay_mask(params, solution=decay_mask):
    leaves, mask = jax.tree.leaves(params), jax.tree.leaves(solution(params))
    weights = {id(leaf) for leaf, decays in zip(leaves, mask, strict=True) if decays}
    return jax.tree.map(lambda leaf: id(leaf) in weights, params)


# %% path_of_a_lone_array
# Each path is taken to have a last entry, but the path of a lone array is empty.
# Fails: test_lists_and_tuples_are_kept
def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1] == DictKey("weights"), params)


# %% end_of_line
# `$` matches at the end, and also before a last newline.
# Fails: test_names_are_compared_as_a_whole
def decay_mask(params):
    def decays(path, _):
        return bool(re.match(r"weights$", str(getattr(path[-1], "key", "")))) if path else False

    return tree_map_with_path(decays, params)


# %% keys_in_the_order_of_text
# The names are collected with keys in the order of text, where 10 comes before 2.
# Fails: test_lists_and_tuples_are_kept
def decay_mask(params):
    def names(tree, name=None):
        if isinstance(tree, dict):
            return [n for key in sorted(tree, key=str) for n in names(tree[key], key)]
        if isinstance(tree, list | tuple):
            return [n for child in tree for n in names(child)]
        return [] if tree is None else [name]

    decays = [name == "weights" for name in names(params)]
    return jax.tree.unflatten(jax.tree.structure(params), decays)


# %% numpy_bools
# The names are compared by NumPy, whose booleans are no Python bools.
# Fails: test_it_can_be_used_inside_jit
def decay_mask(params, solution=decay_mask):
    return jax.tree.map(np.bool_, solution(params))


# %% floats_only
# Weights of integers are left out, as if they couldn't decay.
# Fails: test_shapes_and_values_have_no_influence
def decay_mask(params):
    def decays(path, leaf):
        is_float = bool(jnp.issubdtype(leaf.dtype, jnp.floating))
        return path[-1:] == (DictKey("weights"),) and is_float

    return tree_map_with_path(decays, params)


# %% at_most_two_axes
# Weights with more than two axes, as in a convolution, are left out.
# Fails: test_shapes_and_values_have_no_influence
def decay_mask(params):
    def decays(path, leaf):
        return path[-1:] == (DictKey("weights"),) and leaf.ndim <= 2

    return tree_map_with_path(decays, params)


# %% empty_is_false
# `or` is meant for a leaf, whose mask is False. But an empty dict counts as false, too.
# Fails: test_lists_and_tuples_are_kept
def decay_mask(params):
    def of_child(name, child):
        found = decay_mask(child)
        return found or (name == "weights" if child is not None else None)

    if isinstance(params, dict):
        return {name: of_child(name, child) for name, child in params.items()}
    if isinstance(params, list | tuple):
        return type(params)(decay_mask(child) for child in params)
    return None if params is None else False


# %% one_mask_for_all_callers
# The mask of a structure is remembered, and who changes it changes the next answer.
# Fails: test_shapes_and_values_have_no_influence
@lru_cache
def of_structure(treedef):
    paths, _ = tree_flatten_with_path(treedef.unflatten(range(treedef.num_leaves)))
    return treedef.unflatten(path[-1:] == (DictKey("weights"),) for path, _ in paths)


def decay_mask(params):
    return of_structure(jax.tree.structure(params))


# %% arrays_of_jax
# A recursion whose leaves are JAX's arrays. It returns those of NumPy as they are.
# Fails: test_it_can_be_used_inside_jit
def decay_mask(params, name=None):
    if isinstance(params, dict):
        return {key: decay_mask(child, key) for key, child in params.items()}
    if isinstance(params, list | tuple):
        return type(params)(decay_mask(child) for child in params)
    return name == "weights" if isinstance(params, jax.Array) else params
