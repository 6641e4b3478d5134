"""Reference solution: the whole training inside one pmap."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax


def loss(params, x, y):
    """Mean squared error of a line."""
    weight, bias = params
    return jnp.mean((weight * x + bias - y) ** 2)


@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    """All steps on one shard, with averages over all devices."""

    def step(params, _):
        value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), "devices")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)


def pmap_train(
    params: Any, xs: jax.Array, ys: jax.Array, lr: float, steps: int
) -> tuple[Any, jax.Array]:
    """Passes in the shards, and returns the first of the equal replicas."""
    shape = (jax.local_device_count(), -1, 1)
    replicas = train(params, xs.reshape(shape), ys.reshape(shape), lr, steps)
    return jax.tree.map(lambda replica: replica[0], replicas)
