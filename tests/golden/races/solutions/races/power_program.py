"""The matrix is squared eight times."""

import jax


@jax.jit
def power_program(x):
    for _ in range(8):
        x = x @ x
    return x
