"""Wrong answers to stack_models; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree


# %% loop
# A Python loop: the program has a copy of `f` for each model.
# At most half of the points.
# Fails: test_the_function_is_in_the_program_once, test_models_and_input_have_gradients
def run_models(f, models, x):
    return [f(model, x) for model in models]


# %% loop_of_jitted
# A Python loop over a jitted function, which each call still writes into the program.
# Fails: test_the_function_is_in_the_program_once, test_models_and_input_have_gradients
def run_models(f, models, x):
    f = jax.jit(f)
    return [f(model, x) for model in models]


# %% stack_of_each
# `jnp.stack` gets one leaf, not the leaves of all models.
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients
def run_models(f, models, x):
    stacked = jax.tree.map(jnp.stack, models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% tree_of_lists
# The result is a tree of lists in place of a list of trees.
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    return jax.tree.map(list, jax.vmap(f, in_axes=(0, None))(stacked, x))


# %% stays_stacked
# The result isn't taken apart: it is one tree with an axis of models.
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    return jax.vmap(f, in_axes=(0, None))(stacked, x)


# %% raveled
# Each model becomes one vector, in which all leaves have the same dtype.
# Fails: test_each_leaf_keeps_its_dtype
def run_models(f, models, x):
    _, back = ravel_pytree(models[0])
    vectors = jnp.stack([ravel_pytree(model)[0] for model in models])
    results = jax.vmap(lambda vector: f(back(vector), x))(vectors)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% all_float32
# The leaves become float32 when they are stacked.
# Fails: test_each_leaf_keeps_its_dtype
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves).astype(jnp.float32), *models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% input_mapped
# The input is mapped as well, so each model gets one part of it.
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    results = jax.vmap(f)(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% input_mapped_where_it_fits
# The input is mapped if its arrays are as long as the list of models.
# Fails: test_all_models_get_the_same_input
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    axes = jax.tree.map(lambda leaf: 0 if np.shape(leaf)[:1] == (len(models),) else None, x)
    results = jax.vmap(f, in_axes=(0, axes))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% concatenated
# The leaves are joined along an axis that they have already.
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.concatenate(leaves), *models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% opposite_order
# The first model is the last one of the result.
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients
def run_models(f, models, x, solution=run_models):
    return solution(f, models, x)[::-1]


# %% numpy_stack
# NumPy stacks the leaves, which JAX can't trace.
# Fails: test_the_function_is_in_the_program_once, test_models_and_input_have_gradients
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.asarray(np.stack(leaves)), *models)
    results = jax.vmap(f, in_axes=(0, None))(stacked, x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% one_model_too_few
# The last model is left out.
# Fails: test_each_model_has_its_result, test_each_leaf_keeps_its_dtype,
# test_all_models_get_the_same_input, test_the_function_is_in_the_program_once,
# test_models_and_input_have_gradients
def run_models(f, models, x, solution=run_models):
    return solution(f, models, x)[:-1]


# %% loop_over_known_models
# A Python loop if the models are known, but in a program `x` may be traced all the same.
# Fails: test_the_function_is_in_the_program_once
def run_models(f, models, x, solution=run_models):
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(models)):
        return solution(f, models, x)
    return [jax.tree.map(jnp.asarray, f(model, x)) for model in models]


# %% first_leaf_decides
# NumPy stacks the leaves if that of the first model is known, and another one may be traced.
# Fails: test_the_function_is_in_the_program_once
def stack(*leaves):
    if isinstance(leaves[0], jax.core.Tracer):
        return jnp.stack(leaves)
    return jnp.asarray(np.stack(leaves))


def run_models(f, models, x):
    results = jax.vmap(f, in_axes=(0, None))(jax.tree.map(stack, *models), x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% blocks_of_64
# Blocks of 64 models, each with a copy of `f` in the program.
# Fails: test_the_function_is_in_the_program_once
def run_models(f, models, x, solution=run_models):
    blocks = [models[k : k + 64] for k in range(0, len(models), 64)]
    return [result for block in blocks for result in solution(f, block, x)]


# %% containers_by_hand
# The results are taken apart by hand, which fails at a named tuple.
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


# %% dicts_in_their_order
# The values of dicts are stacked in the order in which they were written, whatever their names.
# Fails: test_each_model_has_its_result
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
