"""Fix a sum of second derivatives.

Forward- and reverse-mode autodiff in JAX:
https://docs.jax.dev/en/latest/jacobian-vector-products.html
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp


def laplacian(f: Callable[[jax.Array], jax.Array], x: jax.Array) -> jax.Array:
    """Return the Laplacian of `f` at x: the sum of its second derivatives, one for each coordinate.

    A program that runs, and that somebody uses. Fix it.

    What was seen: for x² + y² + z² the Laplacian is 6, which is right. For the product x·y it is 2,
    and books say 0. The potential of a charge, 1 / |x|, should have a Laplacian of 0, and has it at
    some points only. It also changes when the coordinates are turned.

    Args:
        f: a function of JAX operations, from n numbers to one number.
        x: float32 of shape (n,), the point.

    Returns:
        A float32 scalar, the sum of ∂²f/∂xₖ² over all coordinates k. For n = 400, the program has
        fewer than 400 operations, and it may hold a table of n x n numbers. Works under `jit`,
        `vmap` and `grad`.

    Examples:
        >>> x = jnp.array([1.0, 2.0, 3.0])
        >>> float(laplacian(lambda x: jnp.sum(x**2), x))
        6.0

        Each term of this function is a product of different coordinates, except the last one:

        >>> float(laplacian(lambda x: x[0] * x[1] - 3 * x[1] * x[2] + x[2] ** 3, x))
        18.0
    """
    direction = jnp.ones_like(x)
    slopes = jax.jvp(jax.grad(f), (x,), (direction,))[1]
    return jnp.sum(slopes)
