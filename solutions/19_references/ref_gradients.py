"""Reference solution: a scan whose body writes to the references around it."""

from collections.abc import Callable
from typing import Any

import jax
from jax import lax


def _add(ref, grad):
    ref[...] += grad


def ref_gradients(
    loss: Callable[[Any, Any], jax.Array], params: Any, batch: Any, sums: Any
) -> jax.Array:
    """Each round adds one gradient, and returns one loss."""

    def step(carry, part):
        value, grads = jax.value_and_grad(loss)(params, part)
        jax.tree.map(_add, sums, grads)
        return carry, value

    return lax.scan(step, None, batch)[1]
