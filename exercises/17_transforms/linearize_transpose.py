"""Multiply many times with one Jacobian, and run the function once.

https://docs.jax.dev/en/latest/_autosummary/jax.linearize.html
"""

from collections.abc import Callable
from typing import Any


def gram_operator(f: Callable[[Any], Any], x: Any) -> Callable[[Any], Any]:
    """Return the function that maps v to Jᵀ J v, where J is the Jacobian of `f` at x.

    Solvers such as conjugate gradients, Gauss-Newton steps and power iterations need this product
    for hundreds of v, and always at the same x. J itself may be too large to be built. `jax.jvp`
    gives J v, and `jax.vjp` gives Jᵀ u, but each such call runs all of `f` again.

    `jax.linearize` runs `f` once. It keeps the numbers that the derivative needs, and returns J
    as a function of v, which is linear. For a linear function, `jax.linear_transpose` makes the
    transposed one from it.

    Args:
        f: a differentiable function of JAX operations, from a tree of arrays to a tree of arrays.
            To run it may cost far more than to multiply by J.
        x: an array or a tree of arrays of floats.

    Returns:
        A function of v, which is a tree like x. Its result Jᵀ J v is a tree like x, too. `f` runs
        at most three times, when the function is made. Calling the function never runs `f` again.
        J is built neither whole nor in pieces.

    Examples:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> product = gram_operator(lambda x: x**2, jnp.array([1.0, 3.0]))
        >>> product(jnp.array([1.0, 1.0])).tolist(), product(jnp.array([0.0, 2.0])).tolist()
        ([4.0, 36.0], [0.0, 72.0])

        J doesn't have to be square:

        >>> product = gram_operator(lambda x: x[0] * x[1:], jnp.array([2.0, 1.0, 3.0]))
        >>> product(jnp.array([1.0, 0.0, 0.0])).tolist()
        [10.0, 2.0, 6.0]

        The exponential is computed when the function is made. A call has none:

        >>> product = gram_operator(jnp.exp, jnp.zeros(4))
        >>> str(jax.make_jaxpr(product)(jnp.ones(4))).count(" exp ")
        0

    Details:
        The results have the dtypes of x. x may be a scalar. Works under `jit` and `vmap`, also if x
        is traced.
    """
    # TODO: linearise `f` at x, transpose the linear function, and combine both.
    raise NotImplementedError
