"""The shards themselves are gathered, and every replica does the whole work."""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax, tree_util


def dp_update(params, x, y, lr, axis):
    x, y = (lax.all_gather(shard, axis, tiled=True) for shard in (x, y))
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return tree_util.tree_map(lambda p, g: p - lr * g, params, grads), value
