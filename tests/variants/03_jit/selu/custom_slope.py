"""`lax.select`, with a derivative of its own."""

import jax
import jax.numpy as jnp
from jax import lax

ALPHA = 1.67
LAMBDA = 1.05


@jax.custom_jvp
def bend(x):
    return lax.select(x > 0, x, ALPHA * jnp.expm1(x))


@bend.defjvp
def bend_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return bend(x), t * jnp.where(x > 0, 1.0, ALPHA * jnp.exp(jnp.minimum(x, 0)))


def selu(x):
    return LAMBDA * bend(x + 0.0)
