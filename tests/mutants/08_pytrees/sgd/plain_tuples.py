"""A recursion that rebuilds every sequence as a plain list or tuple.

Fails: test_namedtuples_are_kept, test_none_is_kept
"""

import jax


def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    if isinstance(params, dict):
        return {k: sgd(params[k], grads[k], lr) for k in params}
    if isinstance(params, list | tuple):
        new = [sgd(p, g, lr) for p, g in zip(params, grads, strict=True)]
        return new if isinstance(params, list) else tuple(new)
    return None if params is None else params - lr * grads
