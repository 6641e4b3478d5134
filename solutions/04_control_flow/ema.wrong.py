"""What learners get wrong in ema; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% swapped_weights
# The weights of the past and of the new element are swapped.
# Do: alpha belongs to the old average, and 1 - alpha to the new element.
# Breaks: Returns 1
# Fails: test_values_follow_the_recurrence, test_integers_have_averages_too,
# test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
# test_the_program_does_not_grow, test_a_long_series_needs_a_small_program, test_details
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        average = (1 - alpha) * average + alpha * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% zero_start
# The average starts at zero, which pulls all early values towards zero.
# Do: Start with the first element as the state.
# Breaks: Returns 1
# Fails: test_values_follow_the_recurrence, test_integers_have_averages_too,
# test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
# test_the_program_does_not_grow, test_a_long_series_needs_a_small_program, test_details
def ema(x, alpha):
    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, 0.0, x)[1]


# %% corrected_start
# Adam's correction for a start at zero is right only for the first value.
# Do: Start with the first element instead. Then no correction is needed.
# Breaks: Returns 1, Details 2
# Fails: test_values_follow_the_recurrence, test_integers_have_averages_too,
# test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
# test_the_program_does_not_grow, test_a_long_series_needs_a_small_program, test_details
def ema(x, alpha):
    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    biased = lax.scan(step, 0.0, x)[1]
    return biased / (1 - alpha ** jnp.arange(1, len(x) + 1))


# %% old_average_out
# Each step returns its input state, so every average is one step late.
# Do: Return the new average twice: as the state, and as the output.
# Breaks: Returns 1
# Fails: test_values_follow_the_recurrence, test_integers_have_averages_too,
# test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
# test_the_program_does_not_grow, test_a_long_series_needs_a_small_program, test_details
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        return alpha * average + (1 - alpha) * element, average

    return lax.scan(step, x[0], x)[1]


# %% integer_state
# The state keeps the dtype of the series, which may be half precision; an integer can't become a float in a loop.
# Do: Make the series float32 before the loop.
# Breaks: Returns 1
# Fails: test_integers_have_averages_too, test_details
def ema(x, alpha):
    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% numpy_loop
# NumPy computes the averages, which JAX can't trace.
# Do: Use `jax.lax.scan`, which JAX can trace.
# Breaks: Returns 2
# Fails: test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
# test_the_program_does_not_grow, test_a_long_series_needs_a_small_program
def ema(x, alpha):
    averages = np.array(x, np.float32)
    for t in range(1, len(averages)):
        averages[t] = alpha * averages[t - 1] + (1 - alpha) * averages[t]
    return jnp.asarray(averages)


# %% static_weight
# The weight is static under `jit`: one program per weight, and an array fails.
# Do: Don't make `alpha` static. A scan needs no value while it is traced.
# Breaks: Returns 2
# Fails: test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
# test_the_program_does_not_grow, test_a_long_series_needs_a_small_program
@partial(jax.jit, static_argnames="alpha")
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% unrolled
# A Python loop and a list: the values are right, but there is one copy of the body per element.
# Do: Let `jax.lax.scan` run the step: it is traced once.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x.astype(jnp.float32)
    averages = [x[0]]
    for t in range(1, len(x)):
        averages.append(alpha * averages[-1] + (1 - alpha) * x[t])
    return jnp.stack(averages)


# %% weights
# A table of each element's weight in each average has T x T numbers.
# Do: Carry one number from step to step. Then no table is needed.
# Breaks: Returns 4
# Fails: test_a_long_series_needs_a_small_program
@jax.jit
def ema(x, alpha):
    t = jnp.arange(x.size)
    age = jnp.subtract.outer(t, t)
    weights = jnp.tril(lax.pow(jnp.float32(alpha), jnp.maximum(age, 0)))
    return jnp.einsum("ts,s->t", weights.at[:, 1:].multiply(1 - alpha), x.astype(float))


# %% while_loop
# A `while_loop` over a buffer can't be differentiated in reverse mode.
# Do: Use `jax.lax.scan`: it has a gradient in reverse mode.
# Breaks: Returns 2
# Fails: test_gradients_agree_with_finite_differences
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def average(state):
        t, y = state
        return t + 1, y.at[t].set(alpha * y[t - 1] + (1 - alpha) * x[t])

    return lax.while_loop(lambda state: state[0] < len(x), average, (1, x))[1]


# %% no_gradient_through_state
# The gradient stops at the state, as in truncated training: the past gets none.
# Do: Remove `stop_gradient`: the past contributes to each average.
# Breaks: Returns 2
# Fails: test_gradients_agree_with_finite_differences
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        average = alpha * lax.stop_gradient(average) + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% divided_powers
# The elements are divided by powers of alpha, which become 0 in a long series.
# Do: Don't divide by powers of alpha. Carry the average itself.
# Breaks: Returns 1, Details 1
# Fails: test_gradients_agree_with_finite_differences, test_a_long_series_needs_a_small_program,
# test_details
def ema(x, alpha):
    x = x.astype(jnp.float32)
    powers = jnp.asarray(alpha, jnp.float32) ** jnp.arange(len(x))
    weights = jnp.full(len(x), 1.0 - alpha).at[0].set(1.0)
    return powers * jnp.cumsum(weights * x / powers)


# %% once missed
from jax.scipy.linalg import solve_triangular


# %% cut_off
# The result is right for a series of up to 512 numbers; the rest is left out.
# Breaks: Returns 1
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x[:512].astype(jnp.float32)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% half_recurrence
# The average of a series in half precision is rounded to half precision in each step.
# Breaks: Details 3
# Fails: test_details
def ema(x, alpha):
    if not jnp.issubdtype(x.dtype, jnp.floating):
        x = x.astype(jnp.float32)

    def step(average, element):
        average = (alpha * average + (1 - alpha) * element).astype(x.dtype)
        return average, average

    return lax.scan(step, x[0], x)[1].astype(jnp.float32)


# %% linear_system
# A triangular system of equations has T x T numbers.
# Breaks: Returns 4
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x, n = x.astype(jnp.float32), x.shape[0]
    system = jnp.eye(n) - alpha * jnp.eye(n, k=-1)
    inputs = jnp.append(x[:1], (1 - alpha) * x[1:])
    return solve_triangular(system, inputs, lower=True, unit_diagonal=True)


# %% nan_skipped
# NaN leaves the average unchanged.
# Breaks: Details 4
# Fails: test_details
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        moved = alpha * average + (1 - alpha) * element
        average = jnp.where(jnp.isnan(element), average, moved)
        return average, average

    return lax.scan(step, x[0], x)[1]
