"""Compiled here, with the primitive of `lax`."""

import jax
from jax import lax


@jax.jit
def running_sum(state, x):
    state = lax.add(state, x)
    return state, state
