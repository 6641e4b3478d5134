"""Read from a program how much work it does.

The jaxpr language: https://docs.jax.dev/en/latest/jaxpr.html
"""

from collections.abc import Callable
from typing import Any


def read_cost(f: Callable[..., Any], *args: Any) -> int | None:
    """Return the number of operations in all matrix products of a function.

    A large model spends most of its time in matrix products.
    `jax.jit(f).lower(x).compile().cost_analysis()` counts operations, but the body of a loop only
    once. The program that JAX traces, the jaxpr, has more information: a `scan` records its number
    of rounds.

    `@`, `jnp.dot` and `jnp.einsum` all become equations with the name "dot_general". Each number of
    its result takes k multiplications and k additions, where k is the number of elements that it
    sums over. So a product of [m, k] and [k, n] takes 2 m n k operations. Along the axes of a
    batch, it takes as much for each element of the batch.

    Args:
        f: a function that JAX can trace; it may be jitted, or returned by `jax.grad` or `jax.vmap`.
        args: its arguments: arrays, `jax.ShapeDtypeStruct`, or pytrees of them. They only provide
            shapes and dtypes, and may be larger than any memory.

    Returns:
        A Python int: the operations of the products, and nothing else. The body of a `scan` counts
        once for each round. Of a `cond`'s branches, the one with the most operations counts. If a
        product is in a `while`, whose rounds can't be counted, the result is None; a `while`
        without a product costs nothing. Nothing of f is computed.

    Examples:
        >>> import jax, jax.numpy as jnp
        >>> x, w = jnp.ones((4, 8)), jnp.ones((8, 8))
        >>> read_cost(lambda x, w: jnp.tanh(x @ w), x, w)
        512

        A loop of 100 rounds takes a hundred times as many:

        >>> def layers(x, w):
        ...     return jax.lax.scan(lambda x, _: (jnp.tanh(x @ w), None), x, length=100)[0]
        >>> read_cost(layers, x, w)
        51200

        The second argument is a matrix of 4 TB, so don't run this:

        >>> big = jax.ShapeDtypeStruct((10**6, 10**6), jnp.float32)
        >>> read_cost(lambda x, w: w @ (w @ x), jax.ShapeDtypeStruct((10**6,), jnp.float32), big)
        4000000000000

    Details:
        Products of any dtype count, also in a function under `jax.jit` or `jax.checkpoint`, and in
        one with its own derivative. The count may need more than 64 bits. If a product doesn't sum
        over any axis, k is 1.
    """
    # TODO: trace the function, and add up the products of its program.
    raise NotImplementedError
