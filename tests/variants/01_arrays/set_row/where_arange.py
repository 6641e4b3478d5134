"""A mask over the rows instead of a scatter."""

import jax.numpy as jnp


def set_row(x, i, row):
    here = jnp.arange(x.shape[0]) == i
    return jnp.where(here[:, None], row, x)
