"""The running standard deviation is kept where the variance belongs.

Fails: test_training_moves_the_running_statistics, test_evaluation_uses_the_running_statistics,
test_it_runs_inside_a_scan
"""

import jax
import jax.numpy as jnp


def bn_apply(params, state, x, train):
    deviation = jnp.sqrt(x.var(axis=0) + 1e-5)
    used = {"mean": x.mean(axis=0), "var": deviation} if train else state
    y = (x - used["mean"]) / used["var"] * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, used)
    return y, state
