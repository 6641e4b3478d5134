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
    return lax.scan(partial(blend, alpha), start, x.astype(jnp.float32))[1]


# %% convolution
# A convolution with the powers of the weight.
def ema(x, alpha):
    x = jnp.asarray(x, jnp.float32)
    kernel = jnp.power(alpha, jnp.arange(len(x)))
    driven = jnp.where(jnp.arange(len(x)) > 0, 1 - alpha, 1.0) * x
    return jnp.convolve(driven, kernel, precision="highest")[: len(x)]


# %% doubling
# Spans of 1, 2, 4, ... elements are joined, in a Python loop of log T rounds.
def ema(x, alpha):
    y = jnp.float32(x).at[1:].multiply(1 - alpha)
    span = 1
    while span < len(x):
        y = y + alpha**span * jnp.pad(y, (span, 0))[: len(x)]
        span *= 2
    return y


# %% tridiagonal
# A system with three diagonals, of which one is zero.
def ema(x, alpha):
    x = jnp.asarray(x, jnp.float32)
    if len(x) < 3:
        return lax.scan(lambda y, e: (alpha * y + (1 - alpha) * e,) * 2, x[0], x)[1]
    ones = jnp.ones_like(x)
    lower = (-alpha * ones).at[0].set(0)
    inputs = ((1 - alpha) * x).at[0].set(x[0])
    return lax.linalg.tridiagonal_solve(lower, ones, 0 * ones, inputs[:, None])[:, 0]


# %% declared_solve
# A linear solve whose derivative JAX gets from the equation.
def ema(x, alpha):
    x = jnp.asarray(x, jnp.float32)

    def matvec(y):
        return y - alpha * jnp.pad(y, (1, 0))[:-1]

    def solve(_, b):
        return lax.scan(lambda y, e: (alpha * y + e,) * 2, 0.0 * b[0], b)[1]

    def transpose_solve(_, b):
        return lax.scan(lambda y, e: (alpha * y + e,) * 2, 0.0 * b[0], b, reverse=True)[1]

    inputs = ((1 - alpha) * x).at[0].set(x[0])
    return lax.custom_linear_solve(matvec, inputs, solve, transpose_solve)
