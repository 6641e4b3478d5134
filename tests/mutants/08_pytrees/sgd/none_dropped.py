"""A recursion that leaves out what it can't update.

Fails: test_none_is_kept
"""

import jax


def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    if isinstance(params, dict):
        return {k: sgd(p, grads[k], lr) for k, p in params.items() if p is not None}
    if isinstance(params, list | tuple):
        pairs = zip(params, grads, strict=True)
        new = [sgd(p, g, lr) for p, g in pairs if p is not None]
        return type(params)(*new) if hasattr(params, "_fields") else type(params)(new)
    return params - lr * grads
