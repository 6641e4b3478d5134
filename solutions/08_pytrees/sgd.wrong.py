"""What learners get wrong in sgd; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% uphill
# The update is added instead of subtracted.
# Do: The gradient points uphill, so go against it.
# Breaks: Returns 1
# Fails: test_a_step_goes_down_the_gradient, test_other_containers_are_kept, test_none_is_kept,
# test_the_dtype_of_each_leaf_is_kept, test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    return jax.tree.map(lambda p, g: p + lr * g, params, grads)


# %% update_only
# The update is returned instead of the updated parameters.
# Do: Return the new parameters: subtract the update from the old ones.
# Breaks: Returns 1
# Fails: test_a_step_goes_down_the_gradient, test_other_containers_are_kept, test_none_is_kept,
# test_the_dtype_of_each_leaf_is_kept, test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    return jax.tree.map(lambda p, g: (-lr * g).astype(p.dtype), params, grads)


# %% one_model_only
# It works only for a list of layers with weights and biases.
# Do: Define what happens to one leaf, and let `jax.tree` go through the containers.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_a_step_goes_down_the_gradient, test_other_containers_are_kept, test_none_is_kept,
# test_the_dtype_of_each_leaf_is_kept, test_trees_that_do_not_match_are_refused, test_details
def sgd(params, grads, lr):
    return [
        {name: p[name] - lr * g[name] for name in ("weights", "biases")}
        for p, g in zip(params, grads, strict=True)
    ]


# %% removed_function
# `jax.tree_map`, which old tutorials use, was removed from JAX.
# Do: Use `jax.tree.map`, its current name.
# Breaks: Returns 1
# Fails: test_a_step_goes_down_the_gradient, test_other_containers_are_kept, test_none_is_kept,
# test_the_dtype_of_each_leaf_is_kept, test_trees_that_do_not_match_are_refused, test_details
def sgd(params, grads, lr):
    return jax.tree_map(lambda p, g: p - lr * g, params, grads)


# %% plain_tuples
# A recursion rebuilds every sequence as a plain list or tuple.
# Do: Let `jax.tree.map` rebuild the containers. It handles namedtuples.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_other_containers_are_kept, test_none_is_kept
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    if isinstance(params, dict):
        return {k: sgd(params[k], grads[k], lr) for k in params}
    if isinstance(params, list | tuple):
        new = [sgd(p, g, lr) for p, g in zip(params, grads, strict=True)]
        return new if isinstance(params, list) else tuple(new)
    return None if params is None else (params - lr * grads).astype(params.dtype)


# %% lists_become_tuples
# A recursion returns tuples for lists.
# Do: Let `jax.tree.map` rebuild the containers. It keeps lists.
# Breaks: Returns 1
# Fails: test_a_step_goes_down_the_gradient, test_other_containers_are_kept, test_none_is_kept
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    if isinstance(params, dict):
        return {k: sgd(params[k], grads[k], lr) for k in params}
    if hasattr(params, "_fields"):
        return type(params)(*map(lambda p, g: sgd(p, g, lr), params, grads))
    if isinstance(params, list | tuple):
        return tuple(sgd(p, g, lr) for p, g in zip(params, grads, strict=True))
    return None if params is None else (params - lr * grads).astype(params.dtype)


# %% known_containers
# A recursion has a case for each built-in Python container.
# Do: Let `jax.tree.map` go through the tree. It handles every registered class.
# Breaks: Returns 1
# Fails: test_other_containers_are_kept
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
    return (params - lr * grads).astype(params.dtype)


# %% none_becomes_zero
# None is treated as a leaf and replaced by a number.
# Do: Don't treat None as a leaf. `jax.tree.map` leaves it where it is.
# Breaks: Returns 1
# Fails: test_none_is_kept
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")

    def step(p, g):
        return jnp.zeros(()) if p is None else (p - lr * g).astype(p.dtype)

    return jax.tree.map(step, params, grads, is_leaf=lambda leaf: leaf is None)


# %% none_dropped
# A recursion drops what it can't update.
# Do: Keep None where it is, as `jax.tree.map` does.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_other_containers_are_kept, test_none_is_kept
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    if isinstance(params, dict):
        return {k: sgd(p, grads[k], lr) for k, p in params.items() if p is not None}
    if isinstance(params, list | tuple):
        pairs = zip(params, grads, strict=True)
        new = [sgd(p, g, lr) for p, g in pairs if p is not None]
        return type(params)(*new) if hasattr(params, "_fields") else type(params)(new)
    return (params - lr * grads).astype(params.dtype)


# %% promoted_by_an_array
# A Python float takes the dtype of a leaf, but a learning rate that is an array promotes it.
# Do: Give each new leaf the dtype of the parameter.
# Breaks: Returns 2
# Fails: test_the_dtype_of_each_leaf_is_kept, test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)


# %% zipped_leaves
# The leaves are zipped without their structures, so gradients of another tree are accepted.
# Do: Compare the structures of both trees before you pair their leaves.
# Breaks: Raises 1
# Fails: test_trees_that_do_not_match_are_refused, test_details
def sgd(params, grads, lr):
    leaves, treedef = jax.tree.flatten(params)
    pairs = zip(leaves, jax.tree.leaves(grads), strict=False)
    new = [(p - lr * g).astype(p.dtype) for p, g in pairs]
    return jax.tree.unflatten(treedef, new)


# %% unchecked
# One map over both trees raises TypeError if an array is missing.
# Do: First compare the structures, and raise ValueError yourself.
# Breaks: Raises 1
# Fails: test_trees_that_do_not_match_are_refused
def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: (p - lr * g).astype(p.dtype), params, grads)


# %% once missed


# %% equal_skeletons
# The trees are compared with `==`, for which a namedtuple equals a tuple.
# Breaks: Raises 1
# Fails: test_trees_that_do_not_match_are_refused
def sgd(params, grads, lr):
    if jax.tree.map(lambda _: 0, params) != jax.tree.map(lambda _: 0, grads):
        raise ValueError("the trees differ")
    leaves, treedef = jax.tree.flatten(params)
    pairs = zip(leaves, jax.tree.leaves(grads), strict=True)
    return treedef.unflatten([(p - lr * g).astype(p.dtype) for p, g in pairs])


# %% missing_gradients_skipped
# A parameter without a gradient is kept, and a gradient without a parameter is dropped.
# Breaks: Raises 1
# Fails: test_trees_that_do_not_match_are_refused
def sgd(params, grads, lr):
    def step(p, g):
        return p if p is None or g is None else (p - lr * g).astype(p.dtype)

    return jax.tree.map(step, params, grads, is_leaf=lambda leaf: leaf is None)


# %% rate_of_the_parameter
# The rate gets the parameter's dtype, but the gradient's dtype is ignored.
# Breaks: Returns 2
# Fails: test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    return jax.tree.map(lambda p, g: p - jnp.asarray(lr, p.dtype) * g, params, grads)


# %% strong_rate
# The learning rate is a float32 array, which promotes every smaller float.
# Breaks: Returns 2
# Fails: test_the_dtype_of_each_leaf_is_kept, test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    rate = jnp.float32(lr)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)


# %% top_level_compared
# Only the top container and the number of leaves are compared.
# Breaks: Raises 1
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
# Breaks: Raises 1
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
# Breaks: Returns 2
# Fails: test_details
def sgd(params, grads, lr):
    if jax.tree.structure(params) != jax.tree.structure(grads):
        raise ValueError("the trees differ")
    return jax.tree.map(lambda p, g: (p.astype(g.dtype) - lr * g).astype(p.dtype), params, grads)


# %% map_compares
# `jax.tree.map` is trusted to compare the trees, but it allows a gradient to have more branches.
# Breaks: Raises 1
# Fails: test_trees_that_do_not_match_are_refused
def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: (p - lr * jnp.asarray(g)).astype(p.dtype), params, grads)


# %% in_place
# The new arrays are written into the input dicts and lists.
# Breaks: Returns 3
# Fails: test_a_step_goes_down_the_gradient, test_other_containers_are_kept, test_none_is_kept,
# test_the_dtype_of_each_leaf_is_kept, test_details
def sgd(params, grads, lr, solution=sgd):
    new = solution(params, grads, lr)
    if isinstance(params, dict):
        params.update(new)
    return new


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for arrays of floats.",
    "result_int_as_float": "The text asks for arrays of floats.",
}
