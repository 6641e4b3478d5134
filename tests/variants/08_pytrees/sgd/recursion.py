"""A recursion that knows each container."""

import jax


def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError(f"params are a {type(params)}, grads a {type(grads)}")
    if params is None:
        return None
    if isinstance(params, dict):
        return {name: sgd(params[name], grads[name], lr) for name in params}
    if isinstance(params, tuple | list):
        new = [sgd(p, g, lr) for p, g in zip(params, grads, strict=True)]
        return type(params)._make(new) if hasattr(params, "_make") else type(params)(new)
    return params - lr * grads
