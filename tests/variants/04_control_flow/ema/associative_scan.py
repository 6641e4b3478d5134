"""Maps y -> a y + b, composed by a parallel prefix sum."""

import jax.numpy as jnp
from jax import lax


def ema(x, alpha):
    x = x.astype(jnp.float32)
    slopes = jnp.full(x.shape, alpha, jnp.float32).at[0].set(0)
    offsets = ((1 - alpha) * x).at[0].set(x[0])

    def compose(first, second):
        a, b = first
        c, d = second
        return a * c, b * c + d

    return lax.associative_scan(compose, (slopes, offsets))[1]
