"""Wrong answers to filled_trend; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% as_it_was
# `n` is static, so each new number is traced and compiled.
# Do: Let no shape depend on `n`, and pass it as an ordinary argument.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_one_program_serves_every_length, test_it_is_fast
@partial(jax.jit, static_argnums=1)
def _slope(values, n):
    times = jnp.arange(n) - (n - 1) / 2
    return jnp.sum(times * values[:n]) / jnp.sum(times**2)


def filled_trend(values, n):
    return _slope(values, int(n))


# %% masked_and_static
# A mask replaces the slice, but `n` is still static.
# Do: Make `jit` trace `n` as well.
# Breaks: Returns 2, Returns 3
# Fails: test_one_program_serves_every_length, test_it_is_fast
_masked = jax.jit(filled_trend.__wrapped__, static_argnums=1)


def filled_trend(values, n):
    return _masked(values, int(n))


# %% constant_of_the_program
# A number `n` becomes a constant of a program, which is compiled for this call alone.
# Do: Ask what `jit` keeps from one call to the next, and pass `n` as an argument.
# Breaks: Returns 3
# Fails: test_it_is_fast
_masked = filled_trend.__wrapped__


def filled_trend(values, n):
    n = n if isinstance(n, jax.core.Tracer) else int(n)
    return jax.jit(lambda values: _masked(values, n))(values)


# %% in_numpy
# NumPy compiles nothing, and can't be part of a larger program.
# Do: Call the function under `jit`.
# Breaks: Returns 2
# Fails: test_one_program_serves_every_length
def filled_trend(values, n):
    n = int(n)
    times = np.arange(n) - (n - 1) / 2
    slope = np.sum(times * np.asarray(values)[:n]) / np.sum(times**2)
    return jnp.asarray(slope, jnp.float32)


# %% weights_times_values
# What doesn't count is multiplied by 0, and NaN times 0 is NaN.
# Do: Choose with `where`.
# Breaks: Returns 1
# Fails: test_what_stands_behind_has_no_influence
@jax.jit
def filled_trend(values, n):
    places = jnp.arange(values.size)
    times = jnp.where(places < n, places - (n - 1) / 2, 0)
    return jnp.sum(times * values) / jnp.sum(times**2)


# %% one_too_many
# The value at place `n` also counts.
# Do: Count the places that your mask chooses for `n` = 2.
# Breaks: Returns 1
# Fails: test_the_slope_is_that_of_the_first_values, test_what_stands_behind_has_no_influence,
# test_one_program_serves_every_length, test_it_is_fast
@jax.jit
def filled_trend(values, n):
    places = jnp.arange(values.size)
    counts = places <= n
    times = jnp.where(counts, places - (n - 1) / 2, 0)
    return jnp.sum(times * jnp.where(counts, values, 0)) / jnp.sum(times**2)


# %% zeros_count
# The places after them become zeros, and the line is also fitted to those.
# Do: Also leave them out of the times.
# Breaks: Returns 1
# Fails: test_the_slope_is_that_of_the_first_values, test_what_stands_behind_has_no_influence,
# test_one_program_serves_every_length, test_it_is_fast
@jax.jit
def filled_trend(values, n):
    places = jnp.arange(values.size)
    times = places - (values.size - 1) / 2
    return jnp.sum(times * jnp.where(places < n, values, 0)) / jnp.sum(times**2)


# %% middle_of_all
# The times are counted from the middle of all places, not from the middle of the first ones.
# Do: Compute the mean of the times that count.
# Breaks: Returns 1
# Fails: test_the_slope_is_that_of_the_first_values, test_what_stands_behind_has_no_influence,
# test_one_program_serves_every_length, test_it_is_fast
@jax.jit
def filled_trend(values, n):
    places = jnp.arange(values.size)
    counts = places < n
    times = jnp.where(counts, places - (values.size - 1) / 2, 0)
    return jnp.sum(times * jnp.where(counts, values, 0)) / jnp.sum(times**2)


# %% whole_numbers_overflow
# The sums of squares are integers, and too large for 32 bits.
# Do: Try several thousand values.
# Breaks: Returns 1
# Fails: test_the_slope_is_that_of_the_first_values, test_it_is_fast
@jax.jit
def filled_trend(values, n):
    places = jnp.arange(values.size)
    counts = places < n
    values, places = jnp.where(counts, values, 0), jnp.where(counts, places, 0)
    product = n * jnp.sum(places * values) - jnp.sum(places) * jnp.sum(values)
    return product / (n * jnp.sum(places**2) - jnp.sum(places) ** 2)
