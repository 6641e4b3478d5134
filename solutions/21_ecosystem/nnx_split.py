"""Reference solution: the structure stays in the function, the state is its argument."""

from collections.abc import Callable
from typing import Any

import jax
from flax import nnx


def to_function(model: nnx.Module) -> tuple[Callable[[Any, jax.Array], jax.Array], Any]:
    """Split the model once, and merge it in each call."""
    graphdef, params = nnx.split(model)

    def f(params, x):
        return nnx.merge(graphdef, params, copy=True)(x)

    return f, params
