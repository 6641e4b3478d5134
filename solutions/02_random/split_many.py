"""Reference solution: one split."""

import jax


def split_many(key: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """The first of n + 1 keys, and the rest."""
    keys = jax.random.split(key, n + 1)
    return keys[0], keys[1:]
