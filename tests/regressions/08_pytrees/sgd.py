"""What the suite of sgd once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% equal_skeletons
# The trees are compared by `==`, for which a namedtuple equals a tuple.
# Fails: test_trees_that_do_not_match_are_refused
def sgd(params, grads, lr):
    if jax.tree.map(lambda _: 0, params) != jax.tree.map(lambda _: 0, grads):
        raise ValueError("the trees differ")
    leaves, treedef = jax.tree.flatten(params)
    pairs = zip(leaves, jax.tree.leaves(grads), strict=True)
    return treedef.unflatten([(p - lr * g).astype(p.dtype) for p, g in pairs])


# %% missing_gradients_skipped
# A parameter without a gradient is kept, and a gradient without a parameter is dropped.
# Fails: test_trees_that_do_not_match_are_refused
def sgd(params, grads, lr):
    def step(p, g):
        return p if p is None or g is None else (p - lr * g).astype(p.dtype)

    return jax.tree.map(step, params, grads, is_leaf=lambda leaf: leaf is None)


# %% rate_of_the_parameter
# The rate gets the dtype of the parameter, but the dtype of the gradient is forgotten.
# Fails: test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    return jax.tree.map(lambda p, g: p - jnp.asarray(lr, p.dtype) * g, params, grads)


# %% strong_rate
# The learning rate is a float32 array, which promotes every smaller float.
# Fails: test_the_dtype_of_each_leaf_is_kept, test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    rate = jnp.float32(lr)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)


# %% top_level_compared
# Only the container at the top and the number of leaves are compared.
# Fails: test_trees_that_do_not_match_are_refused, test_details
def sgd(params, grads, lr):
    leaves, treedef = jax.tree.flatten(params)
    slopes = jax.tree.leaves(grads)
    if type(params) is not type(grads) or len(leaves) != len(slopes):
        raise ValueError("the trees differ")
    if isinstance(params, dict) and params.keys() != grads.keys():
        raise ValueError("the keys differ")
    new = [(p - lr * g).astype(p.dtype) for p, g in zip(leaves, slopes, strict=True)]
    return treedef.unflatten(new)


# %% empty_branches
# A branch without parameters is returned before it is compared.
# Fails: test_details
def sgd(params, grads, lr):
    if isinstance(params, dict | list | tuple) and not params:
        return params
    if jax.tree_util.all_leaves([params]):
        if not jax.tree_util.all_leaves([grads]):
            raise ValueError("a parameter has no gradient")
        return (params - lr * grads).astype(params.dtype)
    parts, root = jax.tree.flatten(params, is_leaf=lambda node: node is not params)
    pairs = zip(parts, root.flatten_up_to(grads), strict=True)
    return root.unflatten([sgd(p, g, lr) for p, g in pairs])


# %% in_the_dtype_of_the_gradient
# The step is computed in the dtype of the gradient, which may have fewer digits.
# Fails: test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    return jax.tree.map(lambda p, g: (p.astype(g.dtype) - lr * g).astype(p.dtype), params, grads)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for arrays of floats.",
    "result_int_as_float": "The text asks for arrays of floats.",
}


# %% map_compares
# `jax.tree.map` is trusted to compare the trees, but a gradient may have more branches for it.
# Fails: test_trees_that_do_not_match_are_refused
def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: (p - lr * jnp.asarray(g)).astype(p.dtype), params, grads)
