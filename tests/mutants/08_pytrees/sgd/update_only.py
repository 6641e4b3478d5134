"""The update comes back instead of the updated parameters.

Fails: test_a_step_goes_down_the_gradient, test_lists_tuples_and_dicts_are_kept,
test_namedtuples_are_kept, test_none_is_kept
"""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: (-lr * g).astype(p.dtype), params, grads)
