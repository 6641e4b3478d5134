"""Other right answers to segment_softmax; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% scatters
# Scatters into arrays of n numbers, which drop padding.
@partial(jax.jit, static_argnums=2)
def segment_softmax(scores, segments, n):
    real = segments < n
    at = jnp.where(real, segments, 0)
    top = jnp.full(n, -jnp.inf).at[segments].max(scores, mode="drop")
    shifted = jnp.where(real, scores - lax.stop_gradient(top[at]), -jnp.inf)
    weights = jnp.exp(shifted)
    total = jnp.zeros(n).at[segments].add(weights, mode="drop")
    return weights / jnp.where(real, total[at], 1)


# %% logarithms
# The logarithm of each sum is subtracted before the exponential is taken.
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jax.ops.segment_max(scores, segments, num_segments=n + 1))
    shifted = scores - jnp.take(top, segments)
    total = jax.ops.segment_sum(jnp.exp(shifted), segments, num_segments=n + 1)
    log_total = jnp.log(jnp.where(total == 0, 1, total))
    return jnp.exp(shifted - log_total[segments]) * (segments != n)


# %% filled
# Padding reads 0 in place of a maximum, and 1 in place of a sum.
def segment_softmax(scores, segments, n):
    scores = jnp.where(segments < n, scores, 0)
    top = jax.ops.segment_max(scores, segments, n)
    weights = jnp.exp(scores - top.at[segments].get(mode="fill", fill_value=jnp.inf))
    total = jax.ops.segment_sum(weights, segments, n)
    return weights / total.at[segments].get(mode="fill", fill_value=1.0)
