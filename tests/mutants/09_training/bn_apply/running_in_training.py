"""The state is updated first, and training normalises with the running statistics.

Fails: test_training_normalises_with_the_batch, test_the_state_that_came_in_is_as_it_was,
test_it_runs_inside_a_scan, test_gradients_flow_through_the_batch_statistics,
test_a_feature_that_never_varies_is_harmless
"""

import jax
import jax.numpy as jnp


def bn_apply(params, state, x, train):
    if train:
        batch = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, batch)
    y = (x - state["mean"]) / jnp.sqrt(state["var"] + 1e-5) * params["scale"] + params["bias"]
    return y, state
