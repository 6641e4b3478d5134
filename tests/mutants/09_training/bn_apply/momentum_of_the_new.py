"""The momentum is given to the batch, as some frameworks mean it: 0.1 old and 0.9 new.

Fails: test_training_moves_the_running_statistics, test_it_runs_inside_a_scan
"""

import jax
import jax.numpy as jnp


def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    if train:
        state = jax.tree.map(lambda old, new: 0.1 * old + 0.9 * new, state, used)
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5)
    return y * params["scale"] + params["bias"], state
