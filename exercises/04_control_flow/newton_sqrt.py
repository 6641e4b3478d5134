"""Repeat until a result is close enough.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html
"""

import jax


def newton_sqrt(x: float | jax.Array, tol: float | jax.Array) -> jax.Array:
    """Return y near the square root of `x`, found by Newton's method: abs(y^2 - x) <= tol x.

    Newton's method replaces a guess y by (y + x / y) / 2 until the guess is good enough. So the
    number of rounds depends on the values of x and tol; the same is true for solvers, line searches
    and samplers. A Python `while` would need these values while tracing. `jax.lax.while_loop` puts
    the condition into the program, so one compiled program serves every x and every tolerance.
    Under `vmap`, each element of a batch gets as many rounds as it needs.

    Args:
        x: the number, a scalar from 1e-4 to 1e6; a float or an integer.
        tol: how much y^2 may differ from x, relative to x; a float from 1e-5 to 0.1.

    Returns:
        A scalar, float32: the first guess that is as close as `tol` requires. Works under `jit` and
        `vmap`, with both arguments traced. The program runs the rounds in a loop, and has at most
        128 operations.

    Examples:
        >>> y = newton_sqrt(10.0, 1e-4)
        >>> bool(abs(y**2 - 10) <= 1e-4 * 10)
        True
        >>> round(float(jax.jit(newton_sqrt)(1e6, 1e-5)), 1)
        1000.0

        A batch is finished when its slowest element is finished:

        >>> import jax.numpy as jnp
        >>> roots = jax.vmap(newton_sqrt, in_axes=(0, None))(jnp.array([4, 9, 100]), 1e-5)
        >>> [round(root, 3) for root in roots.tolist()]
        [2.0, 3.0, 10.0]

        A tiny number gets an equally good root, since the tolerance is relative:

        >>> round(float(newton_sqrt(1e-4, 1e-3)), 3)
        0.01

    Details:
        The result is float32 even if x is in half precision or a small integer type, such as int8.
        The loop ends immediately if the first guess is the root.
    """
    # TODO: choose a first guess, and improve it until it is close enough.
    raise NotImplementedError
