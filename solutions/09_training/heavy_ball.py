"""Reference solution: the velocity is carried along with the parameters."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

Loss = Callable[[Any, Any], jax.Array]


def heavy_ball(
    loss: Loss, params: Any, batches: Any, lr: float | jax.Array, momentum: float | jax.Array
) -> tuple[Any, jax.Array]:
    """A scan whose carry is (parameters, velocity)."""

    def step(carry, batch):
        params, velocity = carry
        value, grads = jax.value_and_grad(loss)(params, batch)
        velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return (params, velocity), value

    start = params, jax.tree.map(jnp.zeros_like, params)
    (params, _), losses = jax.lax.scan(step, start, batches)
    return params, losses
