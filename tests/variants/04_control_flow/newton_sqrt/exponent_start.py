"""A first guess from half the binary exponent, so that three rounds are enough."""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    x = jnp.asarray(x).astype(jnp.float32)
    _, exponent = jnp.frexp(x)
    start = jnp.ldexp(jnp.float32(1), exponent // 2)

    def is_rough(y):
        return lax.gt(lax.abs(y * y - x), jnp.float32(tol) * x)

    return lax.while_loop(is_rough, lambda y: (y + x / y) * 0.5, start)
