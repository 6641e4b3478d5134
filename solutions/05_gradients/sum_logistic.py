"""Reference solution: the library's logistic function."""

import jax


def sum_logistic(x: float | jax.Array) -> jax.Array:
    """The sum over all axes."""
    return jax.nn.sigmoid(x).sum()
