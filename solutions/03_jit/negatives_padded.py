"""Reference solution: positions of a fixed number, and a read that fills."""

import jax
import jax.numpy as jnp


def negatives_padded(x: jax.Array, size: int) -> jax.Array:
    """Reads beyond the end where there is nothing left to read."""
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)
