"""Reference solution: forward over reverse, along one direction."""

from collections.abc import Callable
from typing import Any

import jax


def hvp(f: Callable[[Any], jax.Array], x: Any, v: Any) -> Any:
    """The directional derivative of the gradient (Pearlmutter, 1994)."""
    return jax.jvp(jax.grad(f), (x,), (v,))[1]
