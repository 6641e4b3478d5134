"""Reference solution: two `where`, and a divisor that is at least one."""

import jax
import jax.numpy as jnp


def piecewise(x: float | jax.Array) -> jax.Array:
    """All three formulas are safe for every x, and one is chosen."""
    x = jnp.asarray(x) * 1.0
    divisor = jnp.where(x < 1, 1, x)
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, 2 - 1 / divisor))
