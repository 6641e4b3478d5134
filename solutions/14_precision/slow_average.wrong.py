"""Wrong answers to slow_average; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


def _run(step, xs, dtype):
    return jax.lax.scan(step, jnp.zeros(xs.shape[1:], dtype), xs)[0]


# %% as_it_was
# The state has the dtype of the series, and small steps are rounded away.
# Do: Print the average after each thousand entries.
# Breaks: Returns 4
# At most half of the points.
# Its examples depend on the machine.
# Fails: test_long_series_in_bfloat16, test_a_constant_series_in_half_precision,
# test_large_entries_of_float16, test_it_can_be_transformed
def slow_average(xs, decay):
    def step(average, x):
        return (average + (1 - decay) * (x - average)).astype(xs.dtype), None

    return _run(step, xs, xs.dtype)


# %% other_formula
# The formula is written in another way, and the state still has the dtype of the series.
# Do: Print the dtype of the average in the loop.
# Breaks: Returns 4
# Fails: test_long_series_in_bfloat16, test_a_constant_series_in_half_precision,
# test_it_can_be_transformed
def slow_average(xs, decay):
    def step(average, x):
        return (decay * average + (1 - decay) * x).astype(xs.dtype), None

    return _run(step, xs, xs.dtype)


# %% float32_at_the_end
# The average becomes a float32 after the loop, when its digits are lost.
# Do: Print the dtype of the average in the loop.
# Breaks: Returns 4
# Its examples depend on the machine.
# Fails: test_short_series_in_half_precision, test_long_series_in_bfloat16,
# test_a_constant_series_in_half_precision, test_large_entries_of_float16,
# test_it_can_be_transformed
def slow_average(xs, decay):
    def step(average, x):
        return (average + (1 - decay) * (x - average)).astype(xs.dtype), None

    return _run(step, xs, xs.dtype).astype(jnp.float32)


# %% float32_in_the_step
# Each step computes in float32, and rounds its result to the dtype of the series.
# Do: Print the dtype of what the step returns.
# Breaks: Returns 4
# Fails: test_long_series_in_bfloat16, test_a_constant_series_in_half_precision,
# test_it_can_be_transformed
def slow_average(xs, decay):
    def step(average, x):
        average, x = average.astype(jnp.float32), x.astype(jnp.float32)
        return (average + (1 - decay) * (x - average)).astype(xs.dtype), None

    return _run(step, xs, xs.dtype)


# %% stays_float32
# The result is a float32, whatever the series is.
# Do: Print the dtype of the result.
# Breaks: Returns 1
# Fails: test_short_series_in_half_precision, test_long_series_in_bfloat16,
# test_a_constant_series_in_half_precision, test_large_entries_of_float16,
# test_it_can_be_transformed
def slow_average(xs, decay):
    def step(average, x):
        return average + (1 - decay) * (x - average), None

    return _run(step, xs.astype(jnp.float32), jnp.float32)


# %% difference_in_half
# The difference is taken before the conversion, in the dtype of the series.
# Do: Subtract two large numbers of different signs in float16.
# Breaks: Returns 4
# Fails: test_large_entries_of_float16
def slow_average(xs, decay):
    def step(average, x):
        rest = x - average.astype(xs.dtype)
        return average + (1 - decay) * rest.astype(jnp.float32), None

    return _run(step, xs, jnp.float32).astype(xs.dtype)


# %% corrected_start
# The average is divided by the sum of the weights, so it doesn't start at 0.
# Do: Compute the average of one entry by hand.
# Breaks: Returns 3
# Fails: test_the_average_is_right_in_float32, test_long_series_in_bfloat16,
# test_a_constant_series_in_half_precision, test_it_can_be_transformed
def slow_average(xs, decay, solution=slow_average):
    wide = solution(xs.astype(jnp.float32), decay) / (1 - decay ** len(xs))
    return wide.astype(xs.dtype)


# %% first_entry
# The average starts with the first entry, and not with 0.
# Do: Compute the average of one entry by hand.
# Breaks: Returns 2
# Fails: test_the_average_is_right_in_float32, test_long_series_in_bfloat16,
# test_a_constant_series_in_half_precision, test_it_can_be_transformed
def slow_average(xs, decay):
    wide = xs.astype(jnp.float32)

    def step(average, x):
        return average + (1 - decay) * (x - average), None

    return jax.lax.scan(step, wide[0], wide[1:])[0].astype(xs.dtype)


# %% float16_state
# The state is a float16, which has three more digits than a bfloat16, and not enough.
# Do: Print the average after each thousand entries.
# Breaks: Returns 4
# Fails: test_a_constant_series_in_half_precision, test_large_entries_of_float16
def slow_average(xs, decay):
    dtype = jnp.float16 if xs.dtype == jnp.bfloat16 else xs.dtype

    def step(average, x):
        return (average + (1 - decay) * (x.astype(dtype) - average)).astype(dtype), None

    return _run(step, xs, dtype).astype(xs.dtype)


# %% known_decay
# The decay has to be a Python number, and can't be traced.
# Do: Call it under `jit`.
# Breaks: Returns 5
# Fails: test_it_can_be_transformed
def slow_average(xs, decay, solution=slow_average):
    return solution(xs, float(decay))


# %% weights_by_numpy
# NumPy computes the weights of the entries, and a traced decay has no number for it.
# Do: Use `jnp` for whatever depends on the decay.
# Breaks: Returns 5
# Fails: test_it_can_be_transformed
def slow_average(xs, decay):
    weights = (1 - decay) * np.power(decay, np.arange(len(xs) - 1, -1, -1))
    wide = xs.astype(jnp.float32)
    return jnp.tensordot(jnp.asarray(weights, jnp.float32), wide, axes=1).astype(xs.dtype)


# %% product_of_matrices
# `@` adds up the last axis but one of a series with three axes, and not the first one.
# Do: Name the axis, as in `jnp.tensordot(weights, xs, axes=1)`, or use a loop.
# Breaks: Returns 1
# Fails: test_the_average_is_right_in_float32
def slow_average(xs, decay):
    factors = jnp.full(len(xs), decay, jnp.float32).at[0].set(1)
    weights = (1 - decay) * jnp.cumprod(factors)[::-1]
    return (weights @ xs.astype(jnp.float32)).astype(xs.dtype)
