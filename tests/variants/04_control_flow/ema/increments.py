"""The average moves towards each element, over a scan of the rest, with the start put in front."""

import jax.numpy as jnp
from jax import lax


def ema(x, alpha):
    first, rest = jnp.float32(x[:1]), jnp.float32(x[1:])
    rate = 1 - alpha

    def move(average, element):
        average = average + rate * (element - average)
        return average, average

    _, averages = lax.scan(move, first[0], rest)
    return jnp.concatenate([first, averages])
