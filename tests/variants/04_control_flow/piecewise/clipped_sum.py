"""No choice at all: a sum of three terms that each stand still outside their piece."""

import jax.numpy as jnp


def piecewise(x):
    x = jnp.asarray(x) * 1.0
    return jnp.minimum(x, 0) ** 2 + jnp.clip(x, 0, 1) + (1 - 1 / jnp.maximum(x, 1))
