"""`fori_loop` over a buffer that begins as the series."""

import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def ema(x, alpha):
    def average(t, y):
        return y.at[t].set(alpha * y[t - 1] + (1 - alpha) * y[t])

    return lax.fori_loop(1, x.shape[0], average, jnp.asarray(x, float))
