"""Reference solution: an indexed update."""

import jax


def set_row(x: jax.Array, i: int | jax.Array, row: jax.Array) -> jax.Array:
    """`x` with one row replaced."""
    return x.at[i].set(row)
