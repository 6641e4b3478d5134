"""Written for a list of layers, and for no other tree.

Fails: test_weights_decay_and_biases_do_not, test_shapes_and_values_have_no_influence,
test_names_are_compared_as_a_whole, test_only_the_last_entry_counts,
test_lists_and_tuples_are_kept, test_none_stays_none
"""


def decay_mask(params):
    return [{name: name == "weights" for name in layer} for layer in params]
