"""Reference solution: the rounding error as a constant."""

import jax
import jax.numpy as jnp
from jax import lax


def round_ste(x: float | jax.Array) -> jax.Array:
    """`x` plus its distance to the nearest integer (Bengio et al., 2013)."""
    return x + lax.stop_gradient(jnp.round(x) - x)
