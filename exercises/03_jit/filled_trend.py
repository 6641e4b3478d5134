"""Speed up a program that compiles too often.

Just-in-time compilation: https://docs.jax.dev/en/latest/jit-compilation.html#jit-and-caching
"""

from functools import partial

import jax
import jax.numpy as jnp

# `grader race filled_trend` and the hidden test time this.
RACE = {
    "at_least": 8,
    "compiled": False,
    "args": [("float32", (4000,)), ("int32", (), 2, 4001)],
}


@partial(jax.jit, static_argnums=1)
def _slope(values: jax.Array, n: int) -> jax.Array:
    times = jnp.arange(n) - (n - 1) / 2
    return jnp.sum(times * values[:n]) / jnp.sum(times**2)


def filled_trend(values: jax.Array, n: int | jax.Array) -> jax.Array:
    """Return the slope of the straight line that best fits the first `n` values.

    This program is right, but slow. A monitor keeps the last values of a sensor in an array of
    fixed size, which fills up. It needs the trend after each new value, and each answer takes some
    50 ms. Make it fast.

    Args:
        values: float32 of shape (N,), the values at the times 0, 1, 2, ... Those after the first
            `n` are leftovers, and may be NaN.
        n: the number of values that count, an int or an int32 scalar, from 2 to N. N may be several
            thousand.

    Returns:
        A float32 scalar: the change per unit of time of the line that fits best in the
        least-squares sense. Works under `jit`, even where `n` is traced. For arrays `n` whose
        numbers are all different, it is at least eight times as fast as the program below.

    Examples:
        >>> values = jnp.array([1.0, 3.0, 5.0, 1.0, jnp.nan])
        >>> float(filled_trend(values, 3))
        2.0
        >>> round(float(filled_trend(values, 4)), 3)
        0.2

        One program serves every `n`:

        >>> print(jax.lax.map(lambda n: filled_trend(values, n), jnp.array([2, 3, 4])).round(3))
        [2.  2.  0.2]
    """
    return _slope(values, int(n))
