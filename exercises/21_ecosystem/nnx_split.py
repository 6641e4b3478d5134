"""Take a Flax model apart, and put it together again.

Flax, graph: https://flax.readthedocs.io/en/stable/api_reference/flax.nnx/graph.html
"""

from collections.abc import Callable
from typing import Any

import jax
from flax import nnx


def to_function(model: nnx.Module) -> tuple[Callable[[Any, jax.Array], jax.Array], Any]:
    """Return a model as a pure function and a tree of its arrays.

    `nnx.split(model)` returns the structure of a model and its state, a tree of their arrays.
    `nnx.merge(structure, state, copy=True)` returns a model with new variables.

    Args:
        model: any module; `model(x)` returns an array.

    Returns:
        (f, params): the leaves of `params` are the arrays of all variables of `model`.
        `f(params, x)` returns what `model(x)` returns. For other `params`, it returns what a model
        with these arrays would. Two models of the same structure give two trees of the same
        structure. `f` works under `jit`, `grad` and `vmap`, and leaves `model` as it is.

    Examples:
        >>> import jax.numpy as jnp
        >>> class Line(nnx.Module):
        ...     def __init__(self, slope):
        ...         self.slope = nnx.Param(jnp.float32(slope))
        ...     def __call__(self, x):
        ...         return self.slope * x
        >>> line = Line(2.0)
        >>> f, params = to_function(line)
        >>> float(f(jax.tree.map(lambda leaf: 2 * leaf, params), jnp.float32(10.0)))
        40.0
        >>> float(line(jnp.float32(10.0)))
        20.0

    Details:
        If a call of the model changes its variables, a call of `f` changes neither `model` nor
        `params`.
    """
    # TODO: split the model, and merge it again inside the function.
    raise NotImplementedError
