"""Reference solution: reductions that keep their axis."""

import jax


def standardize_rows(X: jax.Array) -> jax.Array:
    """Each row minus its mean, divided by its standard deviation."""
    mean = X.mean(1, keepdims=True)
    return (X - mean) / X.std(1, keepdims=True)
