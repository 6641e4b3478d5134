"""Pass state in and out, and store it nowhere.

Stateful computations: https://docs.jax.dev/en/latest/stateful-computations.html
"""

import jax


def running_sum(state: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the sum so far, with `x` in it, and the state to call this function with next time.

    A meter sends numbers without end, and somebody wants the sum so far after each of them. No
    program can keep all of them, so one number has to last from call to call: the state. A counter
    in Python keeps it in an attribute or a global. Under `jit` that breaks. The Python code of the
    function runs once, while it is traced, and never again. So the total never changes, or it
    becomes a tracer that can't be used later. In JAX the caller holds the state: it goes in as an
    argument, and the new state comes out beside the result. Optimisers, random keys and batch
    statistics all work like that. There the state and the result differ. For a sum they are equal.

    Args:
        state: the sum of all numbers before; an array of any shape.
        x: the new numbers, of the same shape and dtype.

    Returns:
        (out, state), each of the shape and dtype of `x`: the sum of all numbers so far, element by
        element, and the state for the next call. Here both have the same value. Nothing is kept
        between two calls. Works under `jit` and in `jax.lax.scan`.

    Examples:
        >>> import jax.numpy as jnp
        >>> state = jnp.array(0.0)
        >>> for x in (1.5, 2.0, 4.0):
        ...     out, state = jax.jit(running_sum)(state, jnp.array(x))
        ...     print(float(out))
        1.5
        3.5
        7.5

        A scan passes the state from step to step; it wants the state first and the output second:

        >>> def body(state, x):
        ...     out, state = running_sum(state, x)
        ...     return state, out
        >>> final, outs = jax.lax.scan(body, jnp.array(0), jnp.array([3, 1, 2]))
        >>> outs.tolist(), int(final)
        ([3, 4, 6], 6)

    Details:
        The arrays hold floats, integers or complex numbers, and keep their dtype. They may be
        empty.
    """
    # TODO: add, and return the sum both as output and as state.
    raise NotImplementedError
