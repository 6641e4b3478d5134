"""filled_trend(values, n): the slope of the first n values, by one program for every n.

The stub is a program whose slopes are right, and that is compiled for each n.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, size=12):
    """A line and noise, on all places."""
    line = rng.uniform(-1, 1) * np.arange(size) + rng.normal()
    return (line + rng.normal(size=size)).astype(np.float32)


def trend(values, n):
    times = np.arange(n) - (n - 1) / 2
    return np.sum(times * np.float64(values[:n])) / np.sum(times**2)


def check(found, values, n):
    # One value changes the slope by its 6 / n**2, however many count.
    assert_close(found, trend(values, int(n)), rtol=1e-4, atol=5e-5 / int(n))


@pytest.mark.points(2)
@pytest.mark.hint(
    "Fit a line to three values on paper. Which times are on each side of the middle?"
)
def test_the_slope_is_that_of_the_first_values(submission, rng):
    """The slope is that of the first values, whatever follows them."""
    for size, lengths in ((12, (5, 2, 12)), (2, (2,)), (2000, (1500, 2000))):
        values = draw(rng, size)
        for n in lengths:
            check(submission.filled_trend(values, n), values, n)


@pytest.mark.hint("What is NaN times 0?")
def test_what_stands_behind_has_no_influence(submission, rng):
    """Values after the first ones don't count, even if they are NaN."""
    values = draw(rng)
    for behind in (np.nan, np.inf, 1e30):
        with case(f"where {behind} follows"):
            values[5:] = behind
            check(submission.filled_trend(values, 5), values, 5)


@pytest.mark.points(3)
@pytest.mark.hint("Does the shape of any array in your program depend on `n`?")
def test_one_program_serves_every_length(submission, rng):
    """A program whose `n` is known only at run time is right for every `n`, and is small."""
    values = draw(rng, 400)
    program = submission.filled_trend.program(values, np.int32(2))
    assert program.size < 400
    for n in (2, 3, 7, 150, 400):
        check(program(values, np.int32(n)), values, n)


@partial(jax.jit, static_argnums=1)
def sliced(values, n):
    times = jnp.arange(n) - (n - 1) / 2
    return jnp.sum(times * values[:n]) / jnp.sum(times**2)


def compiled_for_each(values, n):
    """The program of the stub."""
    return sliced(values, int(n))


@pytest.mark.points(4)
@pytest.mark.hint("How often is your function compiled if it is called with ten numbers `n`?")
def test_it_is_fast(submission, race):
    """For numbers `n` that differ, it is eight times as fast as a program for each of them."""
    race(submission.filled_trend, baseline=compiled_for_each, check=check)
