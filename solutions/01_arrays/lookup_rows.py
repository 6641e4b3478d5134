"""Reference solution: read a row that exists, and choose afterwards."""

import jax
import jax.numpy as jnp


def lookup_rows(table: jax.Array, ids: jax.Array, unknown: jax.Array) -> jax.Array:
    """No index is ever out of range."""
    exists = (ids >= 0) & (ids < len(table))
    rows = table[jnp.where(exists, ids, 0)]
    return jnp.where(exists[..., None], rows, unknown)
