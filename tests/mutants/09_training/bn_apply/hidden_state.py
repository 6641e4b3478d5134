"""The running statistics live in a global, where a traced call leaves its tracers.

Fails: test_training_moves_the_running_statistics, test_evaluation_uses_the_running_statistics,
test_evaluation_leaves_the_state_alone, test_it_runs_inside_a_scan,
test_gradients_flow_through_the_batch_statistics, test_a_feature_that_never_varies_is_harmless
"""

import jax
import jax.numpy as jnp

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
