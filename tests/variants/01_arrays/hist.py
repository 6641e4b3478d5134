"""Other right answers to hist; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% bincount
# `jnp.bincount`, with negative indices moved beyond the end, compiled with n static.
@partial(jax.jit, static_argnames="n")
def hist(idx, n):
    return jnp.bincount(jnp.where(idx < 0, n, idx), length=n)


# %% one_hot_sum
# Every index is compared with every counter.
def hist(idx, n):
    return (idx[:, None] == jnp.arange(n)).sum(0)


# %% scan
# One index after the other in `lax.scan`.
def hist(idx, n):
    numbers = jnp.arange(n)

    def count(counts, i):
        return counts + (numbers == i), None

    counts, _ = lax.scan(count, jnp.zeros(n, jnp.int32), idx)
    return counts


# %% segment_sum
# A sum over segments; one more counter collects the stray indices.
def hist(idx, n):
    segment = jnp.where((idx >= 0) & (idx < n), idx, n)
    return jax.ops.segment_sum(jnp.ones_like(idx), segment, num_segments=n + 1)[:n]


# %% sorted_search
# The indices are sorted, and a search finds where each number begins and ends.
def hist(idx, n):
    return jnp.diff(jnp.searchsorted(jnp.sort(idx), jnp.arange(n + 1))).astype(jnp.int32)


# %% weights
# Stray indices are clipped into the range and add 0.
def hist(idx, n):
    fits = (idx >= 0) & (idx < n)
    inside = jnp.clip(idx, 0, n - 1)
    return jnp.zeros_like(idx, shape=(n,)).at[inside].add(fits.astype(jnp.int32))
