"""Compute the slope of a function.

Automatic differentiation: https://docs.jax.dev/en/latest/automatic-differentiation.html
"""

from collections.abc import Callable

import jax


def slope(f: Callable[[jax.Array], jax.Array], x: float | jax.Array) -> jax.Array:
    """Return the slope of `f` at the number `x`.

    `jax.grad` takes a function and returns another function: the derivative of the first. Call it
    with a number, and you get the slope there. Nothing is approximated: JAX knows the derivative of
    each operation. The number must be a float: for an integer, `jax.grad` raises an error.

    Args:
        f: a function from one float to one float, made of JAX operations.
        x: a float or an integer, from Python, or in a float32 or int32 array of shape [].

    Returns:
        A scalar, float32: the derivative of `f` at `x`. An integer is treated as a float. Works
        under `jit`, `vmap` and `grad`.

    Examples:
        >>> import jax.numpy as jnp
        >>> def f(x):
        ...     return jnp.power(x, 3) - 2 * x
        >>> float(slope(f, 2.0))
        10.0

        The same at an integer:

        >>> float(slope(f, 3))
        25.0

        The slope changes with x, so it also has a slope:

        >>> float(slope(lambda x: slope(f, x), 2.0))
        12.0
    """
    # TODO: turn x into a float32 with a `jnp` function, and call the derivative of f with it.
    raise NotImplementedError
