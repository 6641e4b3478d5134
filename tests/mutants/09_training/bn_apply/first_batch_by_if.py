"""A Python `if` asks whether the state is still fresh, which a traced state can't answer.

Fails: test_it_runs_inside_a_scan, test_gradients_flow_through_the_batch_statistics
"""

import jax
import jax.numpy as jnp


def bn_apply(params, state, x, train):
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        fresh = not state["var"].any()
        rate = 1.0 if fresh else 0.1
        state = jax.tree.map(lambda old, new: (1 - rate) * old + rate * new, state, used)
    return y, state
