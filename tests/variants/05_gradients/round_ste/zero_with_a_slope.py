"""An expression that is zero and has the derivative one, added to the rounded number."""

import jax
import jax.numpy as jnp


@jax.jit
def round_ste(x):
    zero = x - jax.lax.stop_gradient(x)
    return jax.lax.stop_gradient(jnp.floor(x + 0.5)) + zero
