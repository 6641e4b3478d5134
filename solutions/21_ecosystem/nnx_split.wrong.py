"""What learners get wrong in nnx_split; each cell is a suffix to the solution."""

import itertools

import jax
import numpy as np
from flax import nnx


# %% params_ignored
# The function calls the model that it remembers, so other arrays and their gradients have no effect.
# Do: Merge the structure with the argument `params`, and call the model that you get.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_other_arrays_give_the_result_of_another_model, test_the_params_have_gradients,
# test_stacked_params_run_under_vmap
def to_function(model):
    _, params = nnx.split(model)
    return lambda params, x: nnx.clone(model)(x), params


# %% model_updated
# The function writes the arrays into the given model, which keeps them after the call.
# Do: Merge a new model in each call, and leave the given one alone.
# Breaks: Returns 5
# At most half of the points.
# Fails: test_the_params_have_gradients, test_stacked_params_run_under_vmap,
# test_the_model_stays_as_it_is, test_details
def to_function(model):
    def f(params, x):
        nnx.update(model, params)
        return model(x)

    return f, nnx.state(nnx.clone(model))


# %% only_params
# Only the variables of type `nnx.Param` are in `params`; the statistics stay in the function.
# Do: Split without a filter, so that all variables are in one state.
# Breaks: Returns 1
# Fails: test_other_arrays_give_the_result_of_another_model, test_the_params_have_gradients,
# test_stacked_params_run_under_vmap
def to_function(model):
    graphdef, params, rest = nnx.split(model, nnx.Param, ...)
    return lambda params, x: nnx.merge(graphdef, params, rest, copy=True)(x), params


# %% rest_forgotten
# The filter `nnx.Param` leaves out the statistics, and nothing says where they go.
# Do: Split without a filter, so that all variables are in one state.
# Breaks: Returns 1
# Fails: test_the_function_returns_what_the_model_returns,
# test_other_arrays_give_the_result_of_another_model, test_the_params_have_gradients,
# test_stacked_params_run_under_vmap, test_the_model_stays_as_it_is, test_details
def to_function(model):
    graphdef, params = nnx.split(model, nnx.Param)
    return lambda params, x: nnx.merge(graphdef, params, copy=True)(x), params


# %% swapped
# The structure and the state are swapped.
# Do: `nnx.split` returns the structure first, and then the state.
# Breaks: Returns 1
# Fails: test_the_function_returns_what_the_model_returns,
# test_other_arrays_give_the_result_of_another_model, test_the_params_have_gradients,
# test_stacked_params_run_under_vmap, test_the_model_stays_as_it_is, test_details
def to_function(model):
    params, graphdef = nnx.split(model)
    return lambda params, x: nnx.merge(graphdef, params)(x), params


# %% variables_shared
# The merged model uses the variables of the state, so a call changes `params` and the given model.
# Do: Give `copy=True` to `nnx.merge`.
# Breaks: Details 1
# Fails: test_details
def to_function(model):
    graphdef, params = nnx.split(model)
    return lambda params, x: nnx.merge(graphdef, params)(x), params


# %% merged_too_early
# The model is merged once, outside the function, with the arrays of that time.
# Do: Merge inside the function, with the arrays that it gets.
# Breaks: Returns 3
# Fails: test_other_arrays_give_the_result_of_another_model, test_the_params_have_gradients,
# test_stacked_params_run_under_vmap, test_details
def to_function(model):
    graphdef, params = nnx.split(model)
    merged = nnx.merge(graphdef, params, copy=True)
    return lambda params, x: merged(x), params


# %% a_model_for_a_function
# The first result is the merged model, which takes no params.
# Do: Return a function of params and x, which merges and then calls the model.
# Breaks: Returns 2
# Fails: test_the_function_returns_what_the_model_returns,
# test_other_arrays_give_the_result_of_another_model, test_the_params_have_gradients,
# test_stacked_params_run_under_vmap, test_the_model_stays_as_it_is, test_details
def to_function(model):
    graphdef, params = nnx.split(model)
    return nnx.merge(graphdef, params, copy=True), params


# %% numpy_arrays
# The arrays become NumPy arrays, which JAX can't trace.
# Do: Leave the arrays of the state as they are.
# Breaks: Returns 5
# Fails: test_the_function_returns_what_the_model_returns,
# test_other_arrays_give_the_result_of_another_model, test_the_params_have_gradients,
# test_stacked_params_run_under_vmap, test_the_model_stays_as_it_is, test_details
def to_function(model):
    graphdef, params = nnx.split(model)
    params = jax.tree.map(np.asarray, params)
    return lambda params, x: nnx.merge(graphdef, params, copy=True)(x), params


# %% once missed


# %% keys_of_the_call
# The keys of `params` hold the number of the call, so trees of two models don't fit together.
# Breaks: Returns 4
# Fails: test_other_arrays_give_the_result_of_another_model, test_the_params_have_gradients,
# test_stacked_params_run_under_vmap
_calls = itertools.count()


def to_function(model):
    graphdef, state = nnx.split(model)
    leaves, treedef = jax.tree.flatten(state)
    call = next(_calls)
    names = [f"{call}.{number:03}" for number in range(len(leaves))]

    def f(params, x):
        state = treedef.unflatten([params[name] for name in names])
        return nnx.merge(graphdef, state, copy=True)(x)

    return f, dict(zip(names, leaves, strict=True))
