"""Reference solution: one average of loss and gradients."""

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax


def loss(params, x, y):
    """Mean squared error of a line."""
    weight, bias = params
    return jnp.mean((weight * x + bias - y) ** 2)


def dp_update(
    params: Any, x: jax.Array, y: jax.Array, lr: float, axis: str
) -> tuple[Any, jax.Array]:
    """The shard's loss and gradient, averaged over the replicas, and a step."""
    value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value
