"""Reference solution: two pairs of statistics, and a new dict for the state."""

import jax
import jax.numpy as jnp

MOMENTUM = 0.9
EPSILON = 1e-5


def bn_apply(
    params: dict[str, jax.Array], state: dict[str, jax.Array], x: jax.Array, train: bool
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """The batch's statistics in training, the running ones otherwise."""
    used = {"mean": x.mean(axis=0), "var": x.var(axis=0)} if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + EPSILON) * params["scale"] + params["bias"]
    if train:
        state = {name: MOMENTUM * state[name] + (1 - MOMENTUM) * used[name] for name in state}
    return y, state
