"""Compile a function whose result has a length of your choice.

Just-in-time compilation:
https://docs.jax.dev/en/latest/jit-compilation.html#marking-arguments-as-static
"""

import jax


def first_powers(x: float | jax.Array, n: int) -> jax.Array:
    """Return the first `n` powers of `x`: 1, x, x^2 and so on.

    While `jax.jit` traces your code, the arguments have no values. But the length of a result must
    be known. An argument that determines a length has to be static:
    `jax.jit(f, static_argnames="n")` traces `f` with the value of `n`, again for each value.

    Args:
        x: a float, from Python or in a float32 array of shape [].
        n: the number of powers, a Python int, at least 1.

    Returns:
        [n] float32: 1, x and so on, even where x is 0. The function is itself compiled, once for
        each `n`: a later call with the same `n` and the same kind of x, a Python float or an array,
        traces nothing. `n` may be passed by name. Works under `jit` and `vmap`, and under `grad`
        where x isn't 0.

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
