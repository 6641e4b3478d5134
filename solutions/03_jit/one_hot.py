"""Reference solution: every label compared with every class."""

import jax
import jax.numpy as jnp


def one_hot(labels: jax.Array, k: int) -> jax.Array:
    """One where a label equals the class of a column, zero elsewhere."""
    hot = labels[:, None] == jnp.arange(k)
    return hot.astype(jnp.float32)
