"""The batch's statistics are taken for constants: right values, wrong gradient.

Fails: test_gradients_flow_through_the_batch_statistics
"""

import jax
import jax.numpy as jnp
from jax import lax


def bn_apply(params, state, x, train):
    batch = lax.stop_gradient({"mean": x.mean(axis=0), "var": x.var(axis=0)})
    used = batch if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, batch)
    return y, state
