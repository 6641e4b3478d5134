"""Other right answers to filled_trend; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% closed_form
# The sum of the squared times has a formula: n (n² - 1) / 12.
@jax.jit
def filled_trend(values, n):
    n = jnp.asarray(n, jnp.float32)
    places = jnp.arange(values.shape[0], dtype=jnp.float32)
    products = (places - (n - 1) / 2) * values
    return 12 * jnp.where(places < n, products, 0).sum() / (n * (n - 1) * (n + 1))


# %% loop_of_n_rounds
# A loop whose bound is traced adds only what counts.
@jax.jit
def filled_trend(values, n):
    middle = (n - 1) / 2

    def add(k, sums):
        return sums[0] + (k - middle) * values[k], sums[1] + (k - middle) ** 2

    first, second = lax.fori_loop(0, n, add, (jnp.float32(0), jnp.float32(0)))
    return first / second


# %% covariance
# The means of what counts, and a product of two vectors.
@jax.jit
def filled_trend(values, n):
    counts = jnp.arange(len(values)) < n
    times = jnp.arange(len(values), dtype=values.dtype)
    times = jnp.where(counts, times - jnp.mean(times, where=counts), 0.0)
    found = jnp.where(counts, values - jnp.mean(values, where=counts), 0.0)
    return jnp.vdot(times, found) / jnp.vdot(times, times)
