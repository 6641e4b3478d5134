"""Reference solution: a check inside, and a transformation around it."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def divide(a: jax.Array, b: jax.Array) -> jax.Array:
    """Divides, and says what must be true."""
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(zeros == 0, "zero divisors: {n}", n=zeros)
    return a / b


def checked_div(a: jax.Array, b: jax.Array) -> tuple[checkify.Error, jax.Array]:
    """The transformed function returns the error beside the result."""
    return checkify.checkify(divide)(jnp.asarray(a), jnp.asarray(b))
