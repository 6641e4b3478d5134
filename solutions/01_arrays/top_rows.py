"""Reference solution: the order as indices."""

import jax
from jax import lax


def top_rows(scores: jax.Array, table: jax.Array, k: int) -> jax.Array:
    """The indices of the highest scores pick the rows."""
    _, indices = lax.top_k(scores, k)
    return table[indices]
