"""Reference solution: the arrays travel, and each side makes the structure for itself."""

from collections.abc import Callable
from typing import Any

import jax


def run_forward(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, list[jax.Array]]:
    """The leaves of the backward pass are what it needs."""
    value, pull = jax.vjp(f, *args)
    return value, jax.tree.leaves(pull)


def run_backward(
    f: Callable[..., Any], like: tuple[Any, ...], kept: list[jax.Array], g: Any
) -> tuple[Any, ...]:
    """The structure follows from shapes and dtypes."""
    pull = jax.eval_shape(lambda *args: jax.vjp(f, *args)[1], *like)
    return jax.tree.unflatten(jax.tree.structure(pull), kept)(g)
