"""See when Python runs, and when the program runs.

Just-in-time compilation: https://docs.jax.dev/en/latest/jit-compilation.html
"""

import jax


def traced_print(x: jax.Array) -> jax.Array:
    """Return the sum of the squares of `x`, compiled, and print what happens.

    To compile a function, write `@jax.jit` above it. In its first call, JAX traces it: your Python
    code runs with tracers, which have a shape but no values. Later calls run the recorded program,
    not your Python code. Another shape is traced again. `jax.debug.print("x: {}", x)` is an
    operation of the program, and prints values.

    Args:
        x: [n] float32, whole numbers from -9 to 9.

    Returns:
        A scalar, the sum of the squares. While JAX traces, which happens in the first call for each
        length, the line `traced` is printed. Every call prints the line `sum: 25.0`, with its own
        sum.

    Examples:
        `jax.effects_barrier` waits until the program has printed:

        >>> import jax.numpy as jnp
        >>> for numbers in ([3.0, 4.0], [1.0, 2.0], [1.0, 1.0, 2.0]):
        ...     print(f"call with {numbers}")
        ...     y = traced_print(jnp.array(numbers))
        ...     jax.effects_barrier()
        call with [3.0, 4.0]
        traced
        sum: 25.0
        call with [1.0, 2.0]
        sum: 5.0
        call with [1.0, 1.0, 2.0]
        traced
        sum: 6.0
        >>> float(y)
        6.0
    """
    # TODO: compile the function, and choose the right way to print each line.
    raise NotImplementedError
