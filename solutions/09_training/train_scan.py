"""Reference solution: a scan without inputs."""

from collections.abc import Callable
from typing import Any

import jax
from jax import lax

Step = Callable[[Any], tuple[Any, jax.Array]]


def train_scan(step: Step, params: Any, n: int) -> tuple[Any, jax.Array]:
    """The parameters are the carry, the losses the collected outputs."""
    return lax.scan(lambda carry, _: step(carry), params, length=n)
