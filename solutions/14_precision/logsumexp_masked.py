"""Reference solution: `where` before the logarithm, and `where` after it."""

import jax
import jax.numpy as jnp


def logsumexp_masked(x: jax.Array) -> jax.Array:
    """A row in which nothing counts is a row of zeros for the logarithm."""
    counts = jnp.any(x != -jnp.inf, axis=-1)
    safe = jnp.where(counts[..., None], x, 0)
    return jnp.where(counts, jax.nn.logsumexp(safe, axis=-1), -jnp.inf)
