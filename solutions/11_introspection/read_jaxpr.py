"""Reference solution: a loop over the equations."""

from collections.abc import Callable
from typing import Any

import jax


def read_jaxpr(f: Callable[[Any], Any], x: Any) -> list[str]:
    """The name of each equation's primitive."""
    return [eqn.primitive.name for eqn in jax.make_jaxpr(f)(x).eqns]
