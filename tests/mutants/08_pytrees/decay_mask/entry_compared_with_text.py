"""A path's entry is an object, which equals no string: everything is False.

Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
test_lists_and_tuples_are_kept, test_none_stays_none, test_it_can_be_used_inside_jit
"""

from jax.tree_util import tree_map_with_path


def decay_mask(params):
    return tree_map_with_path(lambda path, _: path[-1] == "weights", params)
