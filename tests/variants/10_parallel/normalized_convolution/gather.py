"""A gather of all members and a sum of one's own, over windows made by an index."""

import jax.numpy as jnp
from jax import lax


def normalized_convolution(x, w, axis):
    window = jnp.arange(x.shape[0] - 2)[:, None] + jnp.arange(3)
    out = x[window] @ w
    return out / jnp.sum(lax.all_gather(out, axis), axis=0)
