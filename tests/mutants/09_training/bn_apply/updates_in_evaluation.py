"""The state moves in every call, whether it trains or not.

Fails: test_evaluation_leaves_the_state_alone
"""

import jax
import jax.numpy as jnp


def bn_apply(params, state, x, train):
    batch = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
    used = batch if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    return y, jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, batch)
