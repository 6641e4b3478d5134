"""What learners get wrong in bn_apply; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax

# %% hidden_state
# The running statistics are a global, in which a traced call leaves its tracers.
# Do: Take the running statistics from `state` only, and return the new ones.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_evaluation_uses_the_running_statistics, test_it_runs_inside_a_scan,
# test_gradients_flow_through_the_batch_statistics, test_details
RUNNING = {}


def bn_apply(params, state, x, train):
    if not RUNNING or RUNNING["mean"].shape != state["mean"].shape:
        RUNNING.update(state)
    used = RUNNING
    if train:
        used = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
        RUNNING.update(jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, RUNNING, used))
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    return y, dict(RUNNING)


# %% written_in_place
# The input dict is changed, so the caller's statistics also change.
# Do: Build a new dict for the new state.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_training_normalises_with_the_batch, test_training_moves_the_running_statistics,
# test_the_state_that_came_in_is_as_it_was, test_gradients_flow_through_the_batch_statistics,
# test_details
def bn_apply(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        state["mean"] = 0.9 * state["mean"] + 0.1 * mean
        state["var"] = 0.9 * state["var"] + 0.1 * var
    return (x - mean) / jnp.sqrt(var + 1e-5) * params["scale"] + params["bias"], state


# %% always_the_batch
# `train` only guards the state: evaluation also normalises with the batch.
# Do: Choose the statistics by `train` before you normalise.
# Breaks: Returns 1
# Fails: test_evaluation_uses_the_running_statistics
def bn_apply(params, state, x, train):
    batch = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
    y = (x - batch["mean"]) / jnp.sqrt(batch["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, batch)
    return y, state


# %% running_in_training
# The state is updated first, and training normalises with the running statistics.
# Do: In training, normalise with the mean and variance of the batch.
# Breaks: Returns 1
# Fails: test_training_normalises_with_the_batch, test_it_runs_inside_a_scan,
# test_gradients_flow_through_the_batch_statistics, test_details
def bn_apply(params, state, x, train):
    if train:
        batch = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, batch)
    y = (x - state["mean"]) / jnp.sqrt(state["var"] + 1e-5) * params["scale"] + params["bias"]
    return y, state


# %% updates_in_evaluation
# The state is updated in every call, even in evaluation.
# Do: Return the state unchanged if `train` is false.
# Breaks: Returns 2
# Fails: test_evaluation_uses_the_running_statistics
def bn_apply(params, state, x, train):
    batch = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
    used = batch if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    return y, jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, batch)


# %% momentum_of_the_new
# The momentum is the batch's, as in some frameworks: 0.1 old and 0.9 new.
# Do: Use 0.9 for the old value and 0.1 for the batch.
# Breaks: Returns 2
# Fails: test_training_moves_the_running_statistics, test_it_runs_inside_a_scan, test_details
def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    if train:
        state = jax.tree.map(lambda old, new: 0.1 * old + 0.9 * new, state, used)
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5)
    return y * params["scale"] + params["bias"], state


# %% wrong_axis
# The statistics are taken over the features of each example, which fits only square batches.
# Do: Take mean and variance over axis 0, the example axis.
# Breaks: Returns 1
# Fails: test_training_normalises_with_the_batch, test_training_moves_the_running_statistics,
# test_the_state_that_came_in_is_as_it_was, test_it_runs_inside_a_scan,
# test_gradients_flow_through_the_batch_statistics, test_details
def bn_apply(params, state, x, train):
    mean, var = (x.mean(axis=1), x.var(axis=1)) if train else (state["mean"], state["var"])
    y = (x - mean) / jnp.sqrt(var + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = {
            "mean": 0.9 * state["mean"] + 0.1 * mean,
            "var": 0.9 * state["var"] + 0.1 * var,
        }
    return y, state


# %% one_mean_for_all
# One mean and one variance are taken for the whole batch, without an axis: broadcasting hides it.
# Do: Pass the example axis to `mean` and `var`.
# Breaks: Returns 1
# Fails: test_training_normalises_with_the_batch, test_training_moves_the_running_statistics,
# test_it_runs_inside_a_scan, test_gradients_flow_through_the_batch_statistics, test_details
def bn_apply(params, state, x, train):
    mean, var = (x.mean(), x.var()) if train else (state["mean"], state["var"])
    y = (x - mean) / jnp.sqrt(var + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = {
            "mean": 0.9 * state["mean"] + 0.1 * mean,
            "var": 0.9 * state["var"] + 0.1 * var,
        }
    return y, state


# %% kept_axis
# `keepdims=True`: y is right, but the state gets one more axis and no longer fits a scan.
# Do: Remove `keepdims`: the statistics have one number per feature.
# Breaks: Returns 2
# Fails: test_training_moves_the_running_statistics, test_it_runs_inside_a_scan, test_details
def bn_apply(params, state, x, train):
    used = state
    if train:
        used = {"mean": x.mean(axis=0, keepdims=True), "var": x.var(axis=0, keepdims=True)}
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5)
    return y * params["scale"] + params["bias"], state


# %% sample_variance
# The sample variance divides by n - 1, which gives NaN for a batch of one.
# Do: Divide by n, as `jnp.var` does without `ddof`.
# Breaks: Returns 1
# Fails: test_training_normalises_with_the_batch, test_training_moves_the_running_statistics,
# test_it_runs_inside_a_scan, test_gradients_flow_through_the_batch_statistics, test_details
def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0, ddof=1)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% epsilon_outside_the_root
# Epsilon is added to the root: the slope is infinite where a feature never varies.
# Do: Add 1e-5 to the variance before you take the root.
# Breaks: Details 2
# Fails: test_training_normalises_with_the_batch, test_it_runs_inside_a_scan, test_details
def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    y = (x - used["mean"]) / (jnp.sqrt(used["var"]) + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% stopped_gradient
# The batch's statistics are treated as constants: right values, but the wrong gradient.
# Do: Let the gradient flow: mean and variance depend on `x`.
# Breaks: Returns 4
# Fails: test_gradients_flow_through_the_batch_statistics
def bn_apply(params, state, x, train):
    batch = lax.stop_gradient({"mean": x.mean(axis=0), "var": x.var(axis=0)})
    used = batch if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, batch)
    return y, state


# %% once missed


# %% absolute_scale
# The sign of the scale is lost.
# Breaks: Returns 1
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
# Breaks: Returns 5
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
# NaNs are left out of the batch's statistics, which hides that training has failed.
# Breaks: Details 4
# Fails: test_details
def bn_apply(params, state, x, train):
    used = {"mean": jnp.nanmean(x, axis=0), "var": jnp.nanvar(x, axis=0)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% one_example_skipped
# A batch of one example, which has no spread, doesn't update the running statistics.
# Breaks: Details 1
# Fails: test_details
def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train and len(x) > 1:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% running_std
# The running standard deviation is stored instead of the variance.
# Breaks: Returns 2
# Fails: test_training_moves_the_running_statistics, test_evaluation_uses_the_running_statistics,
# test_it_runs_inside_a_scan, test_details
def bn_apply(params, state, x, train):
    deviation = jnp.sqrt(x.var(axis=0) + 1e-5)
    used = {"mean": x.mean(axis=0), "var": deviation} if train else state
    y = (x - used["mean"]) / used["var"] * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state


# %% clamped_in_the_state_only
# The variance is the mean of the squares minus the mean's square. Only the state's is clamped.
# Breaks: Details 2
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
# The mean of the squares minus the mean's square is clamped under the root, but not in the state.
# Breaks: Details 3
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
# Where all examples are equal, y is set to the bias: the values are right, but there is no
# gradient.
# Breaks: Details 2
# Fails: test_details
def bn_apply(params, state, x, train, solution=bn_apply):
    y, new = solution(params, state, x, train)
    if train:
        y = jnp.where(x.var(axis=0) == 0, params["bias"], y)
    return y, new


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The text asks for float32.",
    "result_int_as_float": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
}
