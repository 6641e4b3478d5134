"""Mean and variance of the whole batch, without an axis: they broadcast wherever they go.

Fails: test_training_normalises_with_the_batch, test_training_moves_the_running_statistics,
test_the_state_that_came_in_is_as_it_was, test_it_runs_inside_a_scan,
test_gradients_flow_through_the_batch_statistics, test_a_feature_that_never_varies_is_harmless
"""

import jax.numpy as jnp


def bn_apply(params, state, x, train):
    mean, var = (x.mean(), x.var()) if train else (state["mean"], state["var"])
    y = (x - mean) / jnp.sqrt(var + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = {
            "mean": 0.9 * state["mean"] + 0.1 * mean,
            "var": 0.9 * state["var"] + 0.1 * var,
        }
    return y, state
