"""Reference solution: a gradient in one state, and the other state as a second result."""

from collections.abc import Callable
from typing import Any

import jax
from flax import nnx


def train_step(
    model: nnx.Module,
    loss: Callable[[nnx.Module, jax.Array], jax.Array],
    x: jax.Array,
    trained: Any,
    rate: float | jax.Array,
) -> jax.Array:
    """Split by the filter, differentiate, and write both states back."""
    selected = nnx.All(nnx.Param, trained)
    graphdef, params, rest = nnx.split(model, selected, ...)

    def run(params):
        merged = nnx.merge(graphdef, params, rest, copy=True)
        value = loss(merged, x)
        return value, nnx.state(merged, nnx.Not(selected))

    (value, rest), slopes = jax.value_and_grad(run, has_aux=True)(params)
    params = jax.tree.map(lambda p, slope: p - rate * slope, params, slopes)
    nnx.update(model, params, rest)
    return value
