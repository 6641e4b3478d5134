"""Reference solution: Python prints while JAX traces, and the program prints in every call."""

import jax


@jax.jit
def traced_print(x: jax.Array) -> jax.Array:
    """One line from Python, one from the program."""
    print("traced")
    total = (x**2).sum()
    jax.debug.print("sum: {}", total)
    return total
