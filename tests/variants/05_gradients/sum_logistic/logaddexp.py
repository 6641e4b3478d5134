"""exp of minus the logarithm of 1 + exp(-x), element by element."""

import jax
import jax.numpy as jnp


def logistic(x):
    return jnp.exp(-jnp.logaddexp(0.0, -x))


def sum_logistic(x):
    return jax.vmap(logistic)(jnp.ravel(x)).sum()
