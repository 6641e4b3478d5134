"""Reference solution: a scan whose state stops at the first NaN."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

Step = Callable[[Any, Any], Any]


def holds_nan(tree: Any) -> jax.Array:
    """Whether any element of any leaf is NaN."""
    return jnp.any(jnp.stack([jnp.isnan(leaf).any() for leaf in jax.tree.leaves(tree)]))


def find_nan(step: Step, state: Any, xs: Any) -> tuple[jax.Array, Any]:
    """The carry is the number of good steps, whether all were good, and the last good state."""

    def advance(carry, x):
        good_steps, good, state = carry
        new = step(state, x)
        good &= ~holds_nan(new)
        state = jax.tree.map(lambda new, old: jnp.where(good, new, old), new, state)
        return (good_steps + good, good, state), None

    start = jnp.int32(0), jnp.array(True), jax.tree.map(jnp.asarray, state)
    (t, good, state), _ = lax.scan(advance, start, xs)
    return jnp.where(good, -1, t), state
