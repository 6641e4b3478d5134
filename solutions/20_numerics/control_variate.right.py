"""Other right answers to control_variate; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% cov
# A matrix of covariances, under `jit`.
@partial(jax.jit, static_argnums=(0, 1, 4))
def control_variate(f, g, mean_g, key, n):
    x = jax.random.normal(key, (n,))
    values, control = f(x), g(x)
    # Without the means, `cov` has no large numbers to subtract.
    matrix = jnp.cov(values - values.mean(), control, bias=True)
    c = jnp.where(matrix[1, 1] == 0, 0.0, matrix[0, 1] / matrix[1, 1])
    corrected = values - c * (control - mean_g)
    return jnp.mean(corrected), jnp.std(corrected) / jnp.sqrt(n)


# %% sums
# Sums and dot products in place of means, and a `cond`.
def control_variate(f, g, mean_g, key, n):
    x = jax.random.normal(key, (n,), dtype=jnp.float32)
    a = f(x)
    b = g(x)
    a_mean, b_mean = jnp.sum(a) / n, jnp.sum(b) / n
    a, b = a - a_mean, b - b_mean
    c = lax.cond(b @ b > 0, lambda: (a @ b) / (b @ b), lambda: jnp.float32(0))
    left = a - c * b
    return a_mean - c * (b_mean - mean_g), jnp.sqrt(left @ left) / n


# %% scalar_functions
# f and g are mapped over the draws, one at a time.
def control_variate(f, g, mean_g, key, n):
    draws = jax.random.normal(key, (n,))
    pairs = lax.map(lambda x: jnp.stack([f(x), g(x)]), draws)
    center = pairs.mean(axis=0)
    ab = pairs - center
    spread = jnp.sum(ab[:, 1] ** 2)
    c = jnp.where(spread > 0, jnp.sum(ab.prod(axis=1)) / jnp.where(spread > 0, spread, 1.0), 0.0)
    estimate = center[0] + c * (mean_g - center[1])
    return estimate, jnp.linalg.norm(ab @ jnp.array([1.0, -c])) / n
