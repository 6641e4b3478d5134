"""Each row decides for itself, under `vmap` and `jit`."""

import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def set_row(x, i, row):
    def choose(j, old):
        return lax.select(j == i, row, old)

    return jax.vmap(choose)(jnp.arange(len(x)), x)
