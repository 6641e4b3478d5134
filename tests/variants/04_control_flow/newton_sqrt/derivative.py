"""Newton's step from `jax.grad` of the difference, started from whichever is greater, 1 or x."""

import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def newton_sqrt(x, tol):
    x = jnp.float32(x)

    def excess(y):
        return y * y - x

    def improve(y):
        value, slope = jax.value_and_grad(excess)(y)
        return y - value / slope

    return lax.while_loop(
        lambda y: abs(excess(y)) > tol * x, improve, jnp.maximum(x, jnp.ones_like(x))
    )
