"""A Python loop around a jitted step, as in the tutorials: n calls, and under `jit` n copies.

Fails: test_the_program_does_not_grow
"""

import jax
import jax.numpy as jnp


def train_scan(step, params, n):
    losses, jitted = [], jax.jit(step)
    for _ in range(n):
        params, loss = jitted(params)
        losses.append(loss)
    return params, jnp.stack(losses)
