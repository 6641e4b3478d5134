"""Both trees flattened by the structure of the parameters, which refuses any other."""

import jax


def sgd(params, grads, lr):
    leaves, treedef = jax.tree.flatten(params)
    pairs = zip(leaves, treedef.flatten_up_to(grads), strict=True)
    return treedef.unflatten([p - lr * g for p, g in pairs])
