"""Keep state without keeping it anywhere.

https://docs.jax.dev/en/latest/stateful-computations.html
"""

import jax


def running_sum(state: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the sum so far, with `x` in it, and the state to call this function with next time.

    A counter in Python keeps its total in an attribute or a global. Under `jit` that breaks: the
    function's Python code runs once, while it is traced, and never again, so the total stays where
    it was, or becomes a tracer that somebody finds later and can't use. In JAX whoever calls holds
    the state: it goes in as an argument, and the new one comes out beside the result. Optimisers,
    random keys and batch statistics are all handled that way.

    Args:
        state: the sum of what came before; an array of any shape and dtype.
        x: what comes now, of the same shape and dtype.

    Returns:
        (out, state), each of the shape and dtype of `x`: the sum of all numbers so far, element by
        element, and what to pass on. Here both happen to be the same number. Nothing is kept
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

        A scan carries the state along; it wants the state first and the output second:

        >>> def body(state, x):
        ...     out, state = running_sum(state, x)
        ...     return state, out
        >>> final, outs = jax.lax.scan(body, jnp.array(0), jnp.array([3, 1, 2]))
        >>> outs.tolist(), int(final)
        ([3, 4, 6], 6)
    """
    # TODO: add, and return the sum in both of its roles.
    raise NotImplementedError
