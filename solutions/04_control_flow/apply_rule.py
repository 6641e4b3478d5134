"""Reference solution: a branch for each rule."""

from collections.abc import Callable, Sequence

import jax
from jax import lax


def apply_rule(
    number: int | jax.Array, rules: Sequence[Callable[[jax.Array], jax.Array]], x: jax.Array
) -> jax.Array:
    """`switch` takes the functions, calls one of them, and clamps the number."""
    return lax.switch(number, rules, x)
