"""Wrong answers to ema; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.linalg import solve_triangular


# %% corrected_start
# Adam's correction for a start at zero, which is right for the first value only.
# Fails: test_values_follow_the_recurrence, test_every_series_gives_as_many_floats,
# test_all_or_nothing_may_be_kept, test_the_weight_is_known_at_run_time_only,
# test_gradients_agree_with_finite_differences, test_the_program_does_not_grow,
# test_a_long_series_needs_a_small_program
def ema(x, alpha):
    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    biased = lax.scan(step, 0.0, x)[1]
    return biased / (1 - alpha ** jnp.arange(1, len(x) + 1))


# %% kept_as_integers
# For the backward pass, the averages are kept in the dtype of the series, which may be integers.
# Fails: test_every_series_gives_as_many_floats
averaged = ema


@jax.custom_vjp
def ema(x, alpha):
    return averaged(x, alpha)


def forwards(x, alpha):
    y = averaged(x, alpha)
    return y, (x, y.astype(x.dtype), alpha)


def backwards(kept, g):
    x, y, alpha = kept

    def step(later, g):
        later = g + alpha * later
        return later, later

    reached = lax.scan(step, jnp.float32(0), g, reverse=True)[1]
    in_x = jnp.append(reached[:1], (1 - alpha) * reached[1:]).astype(x.dtype)
    if not jnp.issubdtype(x.dtype, jnp.floating):
        in_x = np.zeros(x.shape, jax.dtypes.float0)
    return in_x, jnp.sum(reached[1:] * (y[:-1] - x[1:]))


ema.defvjp(forwards, backwards)


# %% cut_off
# Right for a series of up to 512 numbers; the rest is left out.
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x[:512].astype(jnp.float32)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% divided_powers
# The elements are divided by powers of alpha, which become 0 in a long series.
# Fails: test_all_or_nothing_may_be_kept, test_gradients_agree_with_finite_differences,
# test_the_program_does_not_grow, test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x.astype(jnp.float32)
    powers = jnp.asarray(alpha, jnp.float32) ** jnp.arange(len(x))
    weights = jnp.full(len(x), 1.0 - alpha).at[0].set(1.0)
    return powers * jnp.cumsum(weights * x / powers)


# %% half_recurrence
# The average of a series in half precision is rounded to half precision in each step.
# Fails: test_every_series_gives_as_many_floats
def ema(x, alpha):
    if not jnp.issubdtype(x.dtype, jnp.floating):
        x = x.astype(jnp.float32)

    def step(average, element):
        average = (alpha * average + (1 - alpha) * element).astype(x.dtype)
        return average, average

    return lax.scan(step, x[0], x)[1].astype(jnp.float32)


# %% integer_state
# The state keeps the dtype of the series, which may be half precision; an integer can't become a float in a loop.
# Fails: test_every_series_gives_as_many_floats
def ema(x, alpha):
    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% inverse
# The inverse of a matrix holds T x T numbers.
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x, n = x.astype(jnp.float32), x.size
    return jnp.linalg.inv(jnp.eye(n) - alpha * jnp.eye(n, k=-1)) @ ((1 - alpha) * x).at[0].set(x[0])


# %% linear_system
# A triangular system of equations holds T x T numbers.
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x, n = x.astype(jnp.float32), x.shape[0]
    system = jnp.eye(n) - alpha * jnp.eye(n, k=-1)
    inputs = jnp.append(x[:1], (1 - alpha) * x[1:])
    return solve_triangular(system, inputs, lower=True, unit_diagonal=True)


# %% no_gradient_through_state
# The gradient stops at the state, as in truncated training: the past gets none.
# Fails: test_every_series_gives_as_many_floats, test_gradients_agree_with_finite_differences
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        average = alpha * lax.stop_gradient(average) + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% numpy_loop
# NumPy computes the averages, which JAX can't trace.
# Fails: test_every_series_gives_as_many_floats, test_the_weight_is_known_at_run_time_only,
# test_gradients_agree_with_finite_differences, test_the_program_does_not_grow,
# test_a_long_series_needs_a_small_program
def ema(x, alpha):
    averages = np.array(x, np.float32)
    for t in range(1, len(averages)):
        averages[t] = alpha * averages[t - 1] + (1 - alpha) * averages[t]
    return jnp.asarray(averages)


# %% old_average_out
# Each step returns the state that came in, so every average is one step late.
# Fails: test_values_follow_the_recurrence, test_all_or_nothing_may_be_kept,
# test_every_series_gives_as_many_floats, test_the_weight_is_known_at_run_time_only,
# test_gradients_agree_with_finite_differences, test_the_program_does_not_grow,
# test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        return alpha * average + (1 - alpha) * element, average

    return lax.scan(step, x[0], x)[1]


# %% padded_loop
# A loop over the series, written out; a short series is padded to the length of a long one.
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    n = len(x)
    x = jnp.pad(jnp.asarray(x, jnp.float32), (0, max(0, 64 - n)))
    y = [x[0]]
    for value in x[1:]:
        y.append(alpha * y[-1] + (1 - alpha) * value)
    return jnp.stack(y)[:n]


# %% small_is_zero
# Numbers below 1 in size count as 0.
# Fails: test_values_follow_the_recurrence, test_all_or_nothing_may_be_kept,
# test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
# test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = jnp.where(abs(x) < 1, 0 * x, x).astype(jnp.float32)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% solved
# A general system, by LU, holds T x T numbers.
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x, n = x.astype(jnp.float32), len(x)
    system = jnp.eye(n) - alpha * jnp.eye(n, k=-1)
    return jnp.linalg.solve(system, ((1 - alpha) * x).at[0].set(x[0]))


# %% squeezed
# `squeeze` drops all axes of length 1, that of a series of one element as well.
# Fails: test_every_series_gives_as_many_floats
def ema(x, alpha):
    x = x.astype(jnp.float32).reshape(-1, 1)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1].squeeze()


# %% static_weight
# The weight is static under `jit`: one program per weight, and an array fails.
# Fails: test_every_series_gives_as_many_floats, test_the_weight_is_known_at_run_time_only,
# test_gradients_agree_with_finite_differences, test_the_program_does_not_grow,
# test_a_long_series_needs_a_small_program
@partial(jax.jit, static_argnames="alpha")
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% swapped_weights
# The weights of the past and of the new element are swapped.
# Fails: test_values_follow_the_recurrence, test_all_or_nothing_may_be_kept,
# test_every_series_gives_as_many_floats, test_the_weight_is_known_at_run_time_only,
# test_gradients_agree_with_finite_differences, test_the_program_does_not_grow,
# test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        average = (1 - alpha) * average + alpha * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% unrolled
# A Python loop and a list: right values, but one copy of the body per element.
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x.astype(jnp.float32)
    averages = [x[0]]
    for t in range(1, len(x)):
        averages.append(alpha * averages[-1] + (1 - alpha) * x[t])
    return jnp.stack(averages)


# %% weights
# A table of how much each element counts for each average holds T x T numbers.
# Fails: test_a_long_series_needs_a_small_program
@jax.jit
def ema(x, alpha):
    t = jnp.arange(x.size)
    age = jnp.subtract.outer(t, t)
    weights = jnp.tril(lax.pow(jnp.float32(alpha), jnp.maximum(age, 0)))
    return jnp.einsum("ts,s->t", weights.at[:, 1:].multiply(1 - alpha), x.astype(float))


# %% while_loop
# A `while_loop` over a buffer, which reverse mode can't differentiate.
# Fails: test_every_series_gives_as_many_floats, test_gradients_agree_with_finite_differences
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def average(state):
        t, y = state
        return t + 1, y.at[t].set(alpha * y[t - 1] + (1 - alpha) * x[t])

    return lax.while_loop(lambda state: state[0] < len(x), average, (1, x))[1]


# %% window
# Elements that are older than 256 steps don't count.
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x.astype(jnp.float32)
    taps = min(len(x), 256)
    powers = jnp.cumprod(jnp.full(taps, alpha, jnp.float32).at[0].set(1))
    inputs = ((1 - alpha) * x).at[0].set(x[0])
    return jnp.convolve(inputs, powers, precision="highest")[: len(x)]


# %% wrapping_moves
# The series is replaced by its moves, which are beyond the range of its integers.
# Fails: test_every_series_gives_as_many_floats
def ema(x, alpha):
    moves = jnp.diff(x).astype(jnp.float32)

    def step(lag, move):
        lag = alpha * (lag + move)
        return lag, lag

    lags = lax.scan(step, jnp.float32(0), moves)[1]
    return x.astype(jnp.float32) - jnp.append(jnp.float32(0), lags)


# %% zero_start
# The average starts at zero, which pulls all early values towards zero.
# Fails: test_values_follow_the_recurrence, test_every_series_gives_as_many_floats,
# test_all_or_nothing_may_be_kept, test_the_weight_is_known_at_run_time_only,
# test_gradients_agree_with_finite_differences, test_the_program_does_not_grow,
# test_a_long_series_needs_a_small_program
def ema(x, alpha):
    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, 0.0, x)[1]


# %% nan_skipped
# NaN leaves the average as it is.
# Fails: test_the_weight_is_known_at_run_time_only
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        moved = alpha * average + (1 - alpha) * element
        average = jnp.where(jnp.isnan(element), average, moved)
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% one_as_it_is
# A series of one element is returned as it is, in its own dtype.
# Fails: test_every_series_gives_as_many_floats
def ema(x, alpha, solution=ema):
    return x if len(x) == 1 else solution(x, alpha)


# %% numpy_for_a_known_weight
# With a weight that has a value NumPy computes, though the series may have none.
# Fails: test_the_weight_is_known_at_run_time_only
def ema(x, alpha, solution=ema):
    if not isinstance(alpha, float):
        return solution(x, alpha)
    averages = np.array(x, np.float32)
    for t in range(1, len(averages)):
        averages[t] = alpha * averages[t - 1] + (1 - alpha) * averages[t]
    return jnp.asarray(averages)


# %% all_kept_is_special
# With alpha = 1 the first element is repeated, and then alpha gets no gradient.
# Fails: test_gradients_agree_with_finite_differences
def ema(x, alpha, solution=ema):
    return jnp.where(jnp.asarray(alpha) == 1, x[0].astype(jnp.float32), solution(x, alpha))


# %% truncated_gradient
# The gradient stops every 100 steps.
# Fails: test_gradients_agree_with_finite_differences
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, now):
        t, element = now
        average = jnp.where(t % 100 == 99, lax.stop_gradient(average), average)
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], (jnp.arange(len(x)), x))[1]


# %% harmless
# General faults that no test has to notice, with the reason.
{
    "result_infinity_to_nan": "A right formula may take zero times infinity, or a difference of two.",
    "argument_infinity_to_nan of `x`": "A right formula may take zero times infinity, or a difference of two.",
}
