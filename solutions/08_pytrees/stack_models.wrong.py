"""What learners get wrong in stack_models; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree


# %% loop
# A Python loop: the program has a copy of `f` for each model.
# Do: Stack the models into one tree, and run them with `jax.vmap`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_function_is_in_the_program_once, test_models_and_input_have_gradients
def run_models(f, models, x):
    return [f(model, x) for model in models]


# %% loop_of_jitted
# A Python loop calls a jitted function, and each call still adds it to the program.
# Do: Stack the models into one tree, and run them with `jax.vmap`.
# Breaks: Returns 3
# Fails: test_the_function_is_in_the_program_once, test_models_and_input_have_gradients
def run_models(f, models, x):
    f = jax.jit(f)
    return [f(model, x) for model in models]


# %% stack_of_each
# `jnp.stack` gets one leaf, not the leaves of all models.
# Do: Pass all models to `jax.tree.map`, as `*models`.
# Breaks: Returns 2
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients, test_details
def run_models(f, models, x):
    stacked = jax.tree.map(jnp.stack, models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% tree_of_lists
# The result is a tree of lists instead of a list of trees.
# Do: Make one tree for each model: the loop over the models is outside.
# Breaks: Returns 1
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once, test_details
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    return jax.tree.map(list, jax.vmap(f, in_axes=(0, None))(stacked, x))


# %% stays_stacked
# The result isn't split: it is one tree with a model axis.
# Do: Take one model at a time out of the stacked result.
# Breaks: Returns 1
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once, test_details
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    return jax.vmap(f, in_axes=(0, None))(stacked, x)


# %% concatenated
# The leaves are joined along an axis that they already have.
# Do: Use `jnp.stack`, which makes a new axis for the models.
# Breaks: Returns 2
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients, test_details
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.concatenate(leaves), *models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% raveled
# Each model becomes one vector, in which all leaves have the same dtype.
# Do: Stack leaf by leaf, so that each keeps its dtype.
# Breaks: Returns 2
# Fails: test_each_leaf_keeps_its_dtype
def run_models(f, models, x):
    _, back = ravel_pytree(models[0])
    vectors = jnp.stack([ravel_pytree(model)[0] for model in models])
    results = jax.vmap(lambda vector: f(back(vector), x))(vectors)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% all_float32
# The leaves become float32 when they are stacked.
# Do: Stack the leaves without converting them.
# Breaks: Returns 2
# Fails: test_each_leaf_keeps_its_dtype
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves).astype(jnp.float32), *models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% input_mapped
# The input is also mapped, so each model gets one slice of it.
# Do: Specify in `in_axes` that `x` isn't mapped.
# Breaks: Returns 2
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients, test_details
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    results = jax.vmap(f)(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% numpy_stack
# NumPy stacks the leaves, which JAX can't trace.
# Do: Use `jnp.stack`, which JAX can trace and differentiate.
# Breaks: Returns 4
# Fails: test_the_function_is_in_the_program_once, test_models_and_input_have_gradients
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.asarray(np.stack(leaves)), *models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% containers_by_hand
# The results are split by custom code, which fails at a named tuple.
# Do: Let `jax.tree.map` split the results. It handles all containers.
# Breaks: Returns 2
# Fails: test_each_model_has_its_result
def pick(tree, m):
    if tree is None:
        return None
    if isinstance(tree, dict):
        return {name: pick(part, m) for name, part in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(pick(part, m) for part in tree)
    return tree[m]


def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [pick(results, m) for m in range(len(models))]


# %% once missed


# %% input_mapped_where_it_fits
# The input is mapped if its arrays are as long as the list of models.
# Breaks: Returns 2
# Fails: test_all_models_get_the_same_input
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    axes = jax.tree.map(lambda leaf: 0 if np.shape(leaf)[:1] == (len(models),) else None, x)
    results = jax.vmap(f, in_axes=(0, axes))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% one_model_too_few
# The last model is left out.
# Breaks: Returns 1
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients, test_details
def run_models(f, models, x, solution=run_models):
    return solution(f, models, x)[:-1]


# %% dicts_in_their_order
# The values of dicts are stacked in the order in which they were written, whatever their names.
# Breaks: Details 1
# Fails: test_details
def stack(trees):
    first = trees[0]
    if first is None:
        return None
    if isinstance(first, dict):
        columns = zip(*(tree.values() for tree in trees), strict=True)
        return {name: stack(column) for name, column in zip(first, columns, strict=True)}
    if isinstance(first, (list, tuple)):
        parts = [stack(column) for column in zip(*trees, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    return jnp.stack(trees)


def run_models(f, models, x):
    results = jax.vmap(f, in_axes=(0, None))(stack(models), x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]
