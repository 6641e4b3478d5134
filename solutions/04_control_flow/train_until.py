"""Reference solution: parameters, loss and count are the state of a while_loop."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

Step = Callable[[Any], tuple[Any, jax.Array]]


def train_until(
    step: Step, params: Any, tol: float | jax.Array, most: int | jax.Array
) -> tuple[Any, jax.Array, jax.Array]:
    """Before the first step the loss is infinite."""

    def is_bad(state):
        _, loss, steps = state
        return (loss > tol) & (steps < most)

    def train(state):
        params, _, steps = state
        params, loss = step(params)
        return params, loss, steps + 1

    return lax.while_loop(is_bad, train, (params, jnp.float32(jnp.inf), jnp.int32(0)))
