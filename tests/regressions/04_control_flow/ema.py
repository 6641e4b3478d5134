"""What the suite of ema once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax
from jax.scipy.linalg import solve_triangular


# %% cut_off
# Right for a series of up to 512 numbers; the rest is left out.
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x = x[:512].astype(jnp.float32)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]


# %% half_recurrence
# The average of a series in half precision is rounded to half precision in each step.
# Fails: test_details
def ema(x, alpha):
    if not jnp.issubdtype(x.dtype, jnp.floating):
        x = x.astype(jnp.float32)

    def step(average, element):
        average = (alpha * average + (1 - alpha) * element).astype(x.dtype)
        return average, average

    return lax.scan(step, x[0], x)[1].astype(jnp.float32)


# %% linear_system
# A triangular system of equations holds T x T numbers.
# Fails: test_a_long_series_needs_a_small_program
def ema(x, alpha):
    x, n = x.astype(jnp.float32), x.shape[0]
    system = jnp.eye(n) - alpha * jnp.eye(n, k=-1)
    inputs = jnp.append(x[:1], (1 - alpha) * x[1:])
    return solve_triangular(system, inputs, lower=True, unit_diagonal=True)


# %% nan_skipped
# NaN leaves the average as it is.
# Fails: test_details
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        moved = alpha * average + (1 - alpha) * element
        average = jnp.where(jnp.isnan(element), average, moved)
        return average, average

    return lax.scan(step, x[0], x)[1]
