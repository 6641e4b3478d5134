"""Pass state in and out, and don't store it anywhere.

Stateful computations: https://docs.jax.dev/en/latest/stateful-computations.html
"""

import jax


def running_sum(state: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the sum so far, with `x` included, and the state for the next call.

    A Python counter keeps its total in an attribute or a global. Under `jit`, that breaks: the
    Python code runs once, during tracing, and never again. In JAX, the caller holds the state: it
    is passed as an argument, and the new state is returned with the result.

    Args:
        state: the sum of all previous numbers; an array of any shape, possibly without elements.
        x: the new numbers, of the same shape and dtype.

    Returns:
        (out, state), both of the shape and dtype of `x`: the sum of all numbers so far, element by
        element, and the state for the next call. Here, both have the same value. Nothing is kept
        between calls. Works under `jit` and in `jax.lax.scan`.

    Examples:
        >>> import jax.numpy as jnp
        >>> state = jnp.array(0.0)
        >>> for x in (1.5, 2.0, 4.0):
        ...     out, state = jax.jit(running_sum)(state, jnp.array(x))
        ...     print(float(out))
        1.5
        3.5
        7.5

    Details:
        The arrays contain floats, integers or complex numbers, and keep their dtype.
    """
    # TODO: add, and return the sum both as output and as state.
    raise NotImplementedError
