"""Fix an average that stops.

Design of type promotion: https://docs.jax.dev/en/latest/jep/9407-type-promotion.html
"""

import jax
import jax.numpy as jnp


def slow_average(xs: jax.Array, decay: float) -> jax.Array:
    """Return the moving average of a series after its last entry.

    A program that runs, and that somebody uses. Fix it.

    What was seen: a series that is 10 all the time has an average that comes closer and closer to
    10, if it is float32. In bfloat16 the average stops at 2.16, however long the series is. With a
    decay of 0.5 it is right in bfloat16, too.

    Args:
        xs: float32, bfloat16 or float16 of shape (T, ...), the series along its first axis. The
            entries of its other axes have averages of their own.
        decay: a number from 0 to less than 1. Under `jit` it may be traced.

    Returns:
        An array of shape (...) and of the dtype of `xs`. The average is 0 at the start. Each entry
        moves it by (1 - decay) * (entry - average). In half precision, the result is as exact as
        its dtype, also after thousands of entries. Works under `jit` and `vmap`.

    Examples:
        >>> slow_average(jnp.array([8.0, 0.0, 4.0]), 0.5).tolist()
        3.0

        A long series that is always the same, in two dtypes:

        >>> xs = jnp.full((4000, 1), 10.0)
        >>> print(slow_average(xs, 0.999).round(1))
        [9.8]
        >>> print(slow_average(xs.astype(jnp.bfloat16), 0.999))
        [9.8125]
    """

    def step(average, x):
        return average + (1 - decay) * (x - average), None

    start = jnp.zeros(xs.shape[1:], xs.dtype)
    return jax.lax.scan(step, start, xs)[0]
