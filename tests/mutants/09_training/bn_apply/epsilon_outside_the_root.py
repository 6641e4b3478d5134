"""The small number is added to the root: infinite slope where a feature never varies.

Fails: test_training_normalises_with_the_batch, test_evaluation_uses_the_running_statistics,
test_the_state_that_came_in_is_as_it_was, test_it_runs_inside_a_scan,
test_a_feature_that_never_varies_is_harmless
"""

import jax
import jax.numpy as jnp


def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    y = (x - used["mean"]) / (jnp.sqrt(used["var"]) + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state
