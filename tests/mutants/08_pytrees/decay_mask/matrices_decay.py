"""The usual guess: what has two axes is a weight.

Fails: test_shapes_and_values_have_no_influence, test_names_are_compared_as_a_whole,
test_only_the_last_entry_counts, test_lists_and_tuples_are_kept, test_none_stays_none
"""

import jax


def decay_mask(params):
    return jax.tree.map(lambda leaf: leaf.ndim > 1, params)
