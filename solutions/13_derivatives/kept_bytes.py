"""Reference solution: the leaves of a backward pass that was never made of numbers."""

import math
from collections.abc import Callable
from typing import Any

import jax


def kept_bytes(f: Callable[..., Any], *args: Any) -> int:
    """Trace the forward pass, and look at what it would return."""
    pull = jax.eval_shape(lambda *given: jax.vjp(f, *given)[1], *args)
    return sum(math.prod(leaf.shape) * leaf.dtype.itemsize for leaf in jax.tree.leaves(pull))
