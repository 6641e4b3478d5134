"""`jax.tree_map`, which old tutorials use, is gone, and never knew a path.

Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
test_lists_and_tuples_are_kept, test_none_stays_none, test_it_can_be_used_inside_jit
"""

import jax


def decay_mask(params):
    if isinstance(params, dict):
        return {name: decay_mask(child) or name == "weights" for name, child in params.items()}
    return jax.tree_map(lambda leaf: leaf.ndim > 1, params)
