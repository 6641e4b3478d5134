"""Other right answers to ema; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% associative_scan
# Maps y -> a y + b, composed by a parallel prefix sum.
def ema(x, alpha):
    x = x.astype(jnp.float32)
    slopes = jnp.full(x.shape, alpha, jnp.float32).at[0].set(0)
    offsets = ((1 - alpha) * x).at[0].set(x[0])

    def compose(first, second):
        a, b = first
        c, d = second
        return a * c, b * c + d

    return lax.associative_scan(compose, (slopes, offsets))[1]


# %% fori_loop
# `fori_loop` over a buffer that begins as the series.
@jax.jit
def ema(x, alpha):
    def average(t, y):
        return y.at[t].set(alpha * y[t - 1] + (1 - alpha) * y[t])

    return lax.fori_loop(1, x.shape[0], average, jnp.asarray(x, float))


# %% increments
# Each step moves the average towards the element, in a scan of the rest.
def ema(x, alpha):
    first, rest = jnp.float32(x[:1]), jnp.float32(x[1:])
    rate = 1 - alpha

    def move(average, element):
        average = average + rate * (element - average)
        return average, average

    _, averages = lax.scan(move, first[0], rest)
    return jnp.concatenate([first, averages])


# %% switching_start
# The state holds whether this is the first step, and a helper builds the step.
def blend(alpha, state, element):
    is_first, average = state
    kept = jnp.where(is_first, 0.0, alpha)
    average = kept * average + (1 - kept) * element
    return (jnp.zeros_like(is_first), average), average


def ema(x, alpha):
    start = (jnp.array(True), jnp.float32(0))
    return lax.scan(partial(blend, alpha), start, x)[1]
