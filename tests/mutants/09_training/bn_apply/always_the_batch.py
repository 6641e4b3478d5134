"""`train` only guards the state: evaluation, too, normalises with the batch.

Fails: test_evaluation_uses_the_running_statistics
"""

import jax
import jax.numpy as jnp


def bn_apply(params, state, x, train):
    batch = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
    y = (x - batch["mean"]) / jnp.sqrt(batch["var"] + 1e-5) * params["scale"] + params["bias"]
    if train:
        state = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, state, batch)
    return y, state
