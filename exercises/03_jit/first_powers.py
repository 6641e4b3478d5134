"""Compile a function whose result has a length of your choice.

Just-in-time compilation:
https://docs.jax.dev/en/latest/jit-compilation.html#marking-arguments-as-static
"""

import jax


def first_powers(x: float | jax.Array, n: int) -> jax.Array:
    """Return the first `n` powers of `x`: 1, x, x^2 and so on.

    `jax.jit` compiles a whole function into one program. While it traces your code, the arguments
    have no values. But the length of a result must be known, and so must the number of rounds of a
    Python loop. An argument that decides such a thing has to be static:
    `jax.jit(f, static_argnames="n")` traces `f` with the value of `n`. The price is a program for
    each value: a new one is traced and compiled, and a known one is used again.

    Args:
        x: a float, from Python or in an array of shape []; traced.
        n: how many powers, a Python int, at least 1; static. It may be passed by position or by
            name.

    Returns:
        [n] float32. The function is compiled by itself, once for each `n`: a later call with the
        same `n` traces nothing. Works under `jit`, `vmap` and `grad`.

    Examples:
        >>> first_powers(2.0, 4).tolist()
        [1.0, 2.0, 4.0, 8.0]
        >>> first_powers(-3.0, n=3).tolist()
        [1.0, -3.0, 9.0]

        A compiled function is one equation of a traced program:

        >>> program = jax.make_jaxpr(lambda x: first_powers(x, 4))(2.0)
        >>> len(program.eqns)
        1
    """
    # TODO: compute the powers, and compile this function with a static n.
    raise NotImplementedError
