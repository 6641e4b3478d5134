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
