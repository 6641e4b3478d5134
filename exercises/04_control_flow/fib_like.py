"""Turn a Python loop into one loop in the program.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
"""

import jax


def fib_like(a0: float | jax.Array, n: int) -> jax.Array:
    """Return the first `n` terms of a0, 2 a0, 3 a0, 5 a0, 8 a0, ...

    From the third on, each term is the sum of the two before it. Audio filters, optimisers with
    momentum and pendulum simulations also work like this. A Python loop under `jit` is unrolled:
    the program gets one copy of its body per term, and 180 terms take seconds to compile.

    A `jax.lax` loop is traced once, whatever `n` is. `jax.lax.scan(f, start, length=n)` calls
    `f(state, None)` in each of n rounds; `f` returns (new state, output). It returns the last
    state, and the outputs in one array. `jax.grad` can differentiate it, since it knows the number
    of rounds while tracing.

    Args:
        a0: the first term, a float or a scalar float array; traced.
        n: the number of terms; a Python int from 1 to 180, static under `jit`.

    Returns:
        [n] float32, the terms. It has a gradient with respect to a0, in reverse mode. For 150
        terms, the program has fewer than 128 operations, and constants of fewer than 128 numbers.
        For 16 terms, compiled, it is at least 100 times as fast as a Python loop of updates.

    Examples:
        >>> [round(term, 3) for term in fib_like(1.5, 6).tolist()]
        [1.5, 3.0, 4.5, 7.5, 12.0, 19.5]

        The first term may be traced, and the result has a derivative with respect to it:

        >>> terms = jax.jit(fib_like, static_argnums=1)(2.0, 4)
        >>> [round(term, 3) for term in terms.tolist()]
        [2.0, 4.0, 6.0, 10.0]
        >>> round(float(jax.grad(lambda a0: fib_like(a0, 4).sum())(3.0)), 3)
        11.0

        The program for many terms is barely longer than the one for few:

        >>> def size(n):
        ...     return len(str(jax.make_jaxpr(fib_like, static_argnums=1)(1.5, n)))
        >>> size(64) < 3 * size(8)
        True

    Details:
        The result is float32 even if `a0` is in half precision, which may not be able to represent
        2 a0. The work grows with n, not with n * n, and no unnecessary terms are computed.
    """
    # TODO: carry two neighbouring terms through a loop of n rounds.
    raise NotImplementedError
