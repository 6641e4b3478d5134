"""Carry one number along a series.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
"""

import jax


def ema(x: jax.Array, alpha: float | jax.Array) -> jax.Array:
    """Return the exponential moving average of a series.

    y[0] = x[0] and y[t] = alpha y[t-1] + (1 - alpha) x[t]: an average of all elements so far, in
    which older elements count less and less. Each value needs the previous one, so this is a loop,
    and `jax.lax.scan` is the right one. It passes a value from step to step, and collects one
    result per element. It is traced once for a series of any length, and has a gradient.

    Args:
        x: [T], floats or integers, T at least 1.
        alpha: the weight of the past, from 0 to 1; a float or a scalar float32 array, traced.

    Returns:
        [T] float32, the averages. Works under `jit` and `vmap`, and has gradients in x and alpha.
        For 250 numbers, the program has fewer than 500 operations, and for 1000 fewer than 512. It
        has no table of T x T numbers.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([8.0, 0.0, 4.0, 4.0])
        >>> ema(x, 0.25).tolist()
        [8.0, 2.0, 3.5, 3.875]
        >>> ema(jnp.array([8, 0]), 0.25).tolist()
        [8.0, 2.0]

        The last value depends on every element, and least on the oldest one:

        >>> jax.grad(lambda x: ema(x, 0.25)[-1])(x).tolist()
        [0.015625, 0.046875, 0.1875, 0.75]

        The program for a long series is barely longer than the one for a short series:

        >>> def size(n):
        ...     return len(str(jax.make_jaxpr(ema)(jnp.ones(n), 0.25)))
        >>> size(64) < 3 * size(8)
        True

    Details:
        With alpha = 0, the result is the series. With alpha = 1, every value is x[0]. A series in
        half precision is averaged in float32. If an element is NaN, its average and all later ones
        are NaN.
    """
    # TODO: carry the average along the series.
    raise NotImplementedError
