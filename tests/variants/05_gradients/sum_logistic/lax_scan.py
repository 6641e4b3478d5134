"""`lax.logistic`, added up by a scan."""

import jax.numpy as jnp
from jax import lax


def sum_logistic(x):
    def add(total, element):
        return total + lax.logistic(element), None

    return lax.scan(add, jnp.float32(0), jnp.ravel(x))[0]
