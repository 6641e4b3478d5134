"""A recursion that gives back tuples for lists.

Fails: test_a_step_goes_down_the_gradient, test_lists_tuples_and_dicts_are_kept,
test_namedtuples_are_kept, test_none_is_kept
"""

import jax


def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    if isinstance(params, dict):
        return {k: sgd(params[k], grads[k], lr) for k in params}
    if hasattr(params, "_fields"):
        return type(params)(*map(lambda p, g: sgd(p, g, lr), params, grads))
    if isinstance(params, list | tuple):
        return tuple(sgd(p, g, lr) for p, g in zip(params, grads, strict=True))
    return None if params is None else params - lr * grads
