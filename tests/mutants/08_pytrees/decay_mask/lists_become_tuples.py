"""A recursion that gives back tuples for lists.

Fails: test_weights_decay_and_biases_do_not, test_names_are_compared_as_a_whole,
test_only_the_last_entry_counts, test_lists_and_tuples_are_kept, test_none_stays_none,
test_it_can_be_used_inside_jit
"""


def decay_mask(params, name=None):
    if isinstance(params, dict):
        return {key: decay_mask(child, key) for key, child in params.items()}
    if isinstance(params, list | tuple):
        return tuple(decay_mask(child) for child in params)
    return None if params is None else name == "weights"
