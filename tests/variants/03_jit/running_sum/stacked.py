"""The sum of a stack of both, in their own dtype."""

import jax.numpy as jnp


def add(*terms):
    return jnp.stack(terms).sum(axis=0, dtype=terms[-1].dtype)


def running_sum(state, x):
    out = add(state, x)
    return out, jnp.copy(out)
