"""Reference solution: all places, of which a mask chooses those that count."""

import jax
import jax.numpy as jnp


@jax.jit
def filled_trend(values: jax.Array, n: int | jax.Array) -> jax.Array:
    """The slope of a fitted line, by one program for every number of values."""
    places = jnp.arange(values.size)
    counts = places < n
    times = jnp.where(counts, places - (n - 1) / 2, 0)
    return jnp.sum(times * jnp.where(counts, values, 0)) / jnp.sum(times**2)
