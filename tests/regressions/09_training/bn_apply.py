"""What the suite of bn_apply once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% absolute_scale
# The sign of the scale is lost.
# Fails: test_training_normalises_with_the_batch, test_evaluation_uses_the_running_statistics,
# test_it_runs_inside_a_scan, test_gradients_flow_through_the_batch_statistics, test_details
def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * abs(params["scale"]) + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% first_batch_by_if
# A Python `if` asks whether the state is fresh, which fails on a traced state.
# Fails: test_it_runs_inside_a_scan, test_gradients_flow_through_the_batch_statistics, test_details
def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        fresh = not state["var"].any()
        rate = 1.0 if fresh else 0.1
        state = jax.tree.map(lambda old, new: (1 - rate) * old + rate * new, state, used)
    return y, state


# %% nan_left_out
# NaNs are left out of the batch's statistics, which hides that a training has failed.
# Fails: test_details
def bn_apply(params, state, x, train):
    used = {"mean": jnp.nanmean(x, axis=0), "var": jnp.nanvar(x, axis=0)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% one_example_skipped
# A batch of one example, which has no spread, doesn't update the running statistics.
# Fails: test_details
def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train and len(x) > 1:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% running_std
# The running standard deviation is stored instead of the variance.
# Fails: test_training_moves_the_running_statistics, test_evaluation_uses_the_running_statistics,
# test_it_runs_inside_a_scan, test_details
def bn_apply(params, state, x, train):
    deviation = jnp.sqrt(x.var(axis=0) + 1e-5)
    used = {"mean": x.mean(axis=0), "var": deviation} if train else state
    y = (x - used["mean"]) / used["var"] * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The text asks for float32.",
    "result_int_as_float": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
}


# %% clamped_in_the_state_only
# The variance is the mean of the squares minus the mean's square. Only the state's is clamped.
# Fails: test_details
def bn_apply(params, state, x, train):
    if train:
        m, v = x.mean(0), (x * x).mean(0) - x.mean(0) ** 2
        state = {
            "mean": 0.9 * state["mean"] + 0.1 * m,
            "var": 0.9 * state["var"] + 0.1 * jnp.maximum(v, 0),
        }
    else:
        m, v = state["mean"], state["var"]
    return (x - m) / jnp.sqrt(v + 1e-5) * params["scale"] + params["bias"], dict(state)


# %% clamped_in_the_output_only
# The mean of the squares minus the mean's square is clamped under the root, and not in the state.
# Fails: test_details
def bn_apply(params, state, x, train):
    used = state
    if train:
        mean = x.mean(axis=0)
        used = {"mean": mean, "var": (x**2).mean(axis=0) - mean**2}
        state = {name: 0.9 * state[name] + 0.1 * used[name] for name in state}
    var = jnp.maximum(used["var"], 0)
    return (x - used["mean"]) / jnp.sqrt(var + 1e-5) * params["scale"] + params["bias"], state


# %% bias_alone_without_spread
# Where all examples are equal, y is set to the bias: right values, but no gradient.
# Fails: test_details
def bn_apply(params, state, x, train, solution=bn_apply):
    y, new = solution(params, state, x, train)
    if train:
        y = jnp.where(x.var(axis=0) == 0, params["bias"], y)
    return y, new
