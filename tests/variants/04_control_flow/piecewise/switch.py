"""`lax.switch` by the number of borders that lie below."""

import jax.numpy as jnp
from jax import lax


def piecewise(x):
    x = jnp.asarray(x) * 1.0
    index = jnp.searchsorted(jnp.array([0, 1], x.dtype), x, side="right")
    return lax.switch(index, [jnp.square, lambda x: x, lambda x: 2 - 1 / x], x)
