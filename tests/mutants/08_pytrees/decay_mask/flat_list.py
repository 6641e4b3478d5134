"""The booleans come in a flat list, without the structure.

Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
test_lists_and_tuples_are_kept, test_none_stays_none, test_it_can_be_used_inside_jit
"""

import jax


def decay_mask(params):
    leaves, _ = jax.tree_util.tree_flatten_with_path(params)
    return [getattr(path[-1], "key", None) == "weights" for path, _ in leaves]
