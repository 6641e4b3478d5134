"""Written for a list of layers with weights and biases, and for nothing else.

Fails: test_a_step_goes_down_the_gradient, test_lists_tuples_and_dicts_are_kept,
test_namedtuples_are_kept, test_none_is_kept, test_the_dtype_of_each_leaf_is_kept,
test_trees_that_do_not_match_are_refused
"""


def sgd(params, grads, lr):
    return [
        {name: p[name] - lr * g[name] for name in ("weights", "biases")}
        for p, g in zip(params, grads, strict=True)
    ]
