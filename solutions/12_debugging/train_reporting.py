"""Reference solution: a callback in a branch of the loop."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

Step = Callable[[Any], tuple[Any, jax.Array]]
Report = Callable[[Any, Any], None]


def train_reporting(
    step: Step, params: Any, n: int, every: int, report: Report | None
) -> tuple[Any, jax.Array]:
    """The program chooses the steps, and Python only hears of those."""

    def tell(k, loss):
        jax.debug.callback(report, k, loss, ordered=True)

    def numbered(params, k):
        params, loss = step(params)
        if report is not None:
            lax.cond(k % every == 0, tell, lambda k, loss: None, k, loss)
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n))
