"""Reference solution: one linearisation, and its transpose."""

from collections.abc import Callable
from typing import Any

import jax


def gram_operator(f: Callable[[Any], Any], x: Any) -> Callable[[Any], Any]:
    """J and its transpose are made before any v is known."""
    _, forward = jax.linearize(f, x)
    backward = jax.linear_transpose(forward, x)
    return lambda v: backward(forward(v))[0]
