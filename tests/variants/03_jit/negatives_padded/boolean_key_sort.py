"""A stable sort by sign, of an array that is padded first."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="size")
def negatives_padded(x, size):
    longer = jnp.concatenate([x, jnp.zeros(size, x.dtype)])
    order = jnp.argsort(~(longer < 0), stable=True)
    return jnp.where(longer < 0, longer, 0)[order][:size]
