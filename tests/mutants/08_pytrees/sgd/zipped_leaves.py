"""The leaves are zipped without their structures, so grads of another tree are taken as well.

Fails: test_trees_that_do_not_match_are_refused
"""

import jax


def sgd(params, grads, lr):
    leaves, treedef = jax.tree.flatten(params)
    new = [p - lr * g for p, g in zip(leaves, jax.tree.leaves(grads), strict=False)]
    return jax.tree.unflatten(treedef, new)
