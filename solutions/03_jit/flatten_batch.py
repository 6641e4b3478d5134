"""Reference solution: a shape computed by Python."""

import math

import jax


def flatten_batch(x: jax.Array) -> jax.Array:
    """One reshape to two static lengths."""
    return x.reshape(x.shape[0], math.prod(x.shape[1:]))
