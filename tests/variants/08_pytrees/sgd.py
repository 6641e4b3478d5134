"""Other right answers to sgd; each cell is a suffix to the solution."""

import dataclasses
import operator

import jax
from jax import tree_util


# %% flatten_up_to
# Both trees are flattened by the structure of the parameters, which refuses any other.
def sgd(params, grads, lr):
    leaves, treedef = jax.tree.flatten(params)
    pairs = zip(leaves, treedef.flatten_up_to(grads), strict=True)
    return treedef.unflatten([p - lr * g for p, g in pairs])


# %% optimizer_class
# A small optimiser object, and `jax.tree_util.tree_map`, which still exists.
@dataclasses.dataclass(frozen=True)
class Descent:
    rate: object

    def __call__(self, p, g):
        return p - (self.rate * g).astype(p.dtype)


def sgd(params, grads, lr):
    return tree_util.tree_map(Descent(lr), params, grads)


# %% recursion
# A recursion with a case for each container.
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


# %% two_maps
# Updates first, then their sum with the parameters, under `jit`.
@jax.jit
def sgd(params, grads, lr):
    updates = jax.tree.map(lambda g: -lr * g, grads)
    return jax.tree.map(operator.add, params, updates)
