"""Exports a program that may write over its input, which the baseline reads, too (T11, T18).

Exercise: races/power_program
Outcome: failed
"""

import functools

import jax


@functools.partial(jax.jit, donate_argnums=0)
def power_program(x):
    return jax.lax.fori_loop(0, 255, lambda _, y: y @ x, x)
