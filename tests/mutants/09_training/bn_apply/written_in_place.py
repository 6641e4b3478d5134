"""The dict that came in is written into, so its owner's statistics change as well.

Fails: test_the_state_that_came_in_is_as_it_was
"""

import jax.numpy as jnp


def bn_apply(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        state["mean"] = 0.9 * state["mean"] + 0.1 * mean
        state["var"] = 0.9 * state["var"] + 0.1 * var
    return (x - mean) / jnp.sqrt(var + 1e-5) * params["scale"] + params["bias"], state
