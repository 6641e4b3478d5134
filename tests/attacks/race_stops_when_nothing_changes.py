"""Ends its loop as soon as the power settles or repeats, as it does for many inputs (T16).

Exercise: races/power_program
Outcome: failed
"""

import jax
import jax.numpy as jnp


def power_program(x):
    def goes_on(state):
        n, power, before = state
        settled = jnp.max(jnp.abs(power - before)) < 1e-6
        return (n < 256) & ~settled

    def step(state):
        n, power, _ = state
        return n + 1, power @ x, power

    return jax.lax.while_loop(goes_on, step, (1, x, jnp.zeros_like(x)))[1]
