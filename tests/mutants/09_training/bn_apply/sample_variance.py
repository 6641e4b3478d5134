"""The sample variance, divided by n - 1: not a number for a batch of one.

Fails: test_training_normalises_with_the_batch, test_training_moves_the_running_statistics,
test_the_state_that_came_in_is_as_it_was, test_it_runs_inside_a_scan,
test_gradients_flow_through_the_batch_statistics, test_a_feature_that_never_varies_is_harmless
"""

import jax
import jax.numpy as jnp


def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0, ddof=1)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state
