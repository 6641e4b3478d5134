"""Sorting, and a search for where each number begins and ends."""

import jax.numpy as jnp


def hist(idx, n):
    return jnp.diff(jnp.searchsorted(jnp.sort(idx), jnp.arange(n + 1))).astype(jnp.int32)
