"""The same curve from tanh."""

import jax
import jax.numpy as jnp


@jax.jit
def sum_logistic(x):
    return jnp.sum(0.5 * (jnp.tanh(0.5 * x) + 1))
