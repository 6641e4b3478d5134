"""Lets a random number decide in the program, call by call, whether to compute at all (T25).

Exercise: races/power_program
Outcome: failed
"""

import jax
import jax.numpy as jnp


def power_program(x):
    # This generator keeps its state from one call of a program to the next.
    dice = jax.lax.rng_uniform(jnp.float32(0), jnp.float32(1), ())
    return jax.lax.cond(
        dice < 0.6,
        lambda x: x,
        lambda x: jax.lax.fori_loop(0, 255, lambda _, y: y @ x, x),
        x,
    )
