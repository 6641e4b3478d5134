"""Choose between formulas with a traced value.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.where.html
"""

import jax


def piecewise(x: float | jax.Array) -> jax.Array:
    """Return the loss of a forecast error: x^2 where x < 0, x where 0 <= x < 1, else 2 - 1/x.

    A shop forecasts its sales, and x is the forecast minus the sales. Below 0, goods were missing:
    the loss grows with the square. From 0 on, goods were left over, and each costs the same. A
    large x is mostly an error in the data, so its loss stays below 2.

    An `if` on `x` fails under `jit` and `vmap`. So losses with several pieces are written with
    `jnp.where` or `jax.lax.cond`. Each of these has a trap. The branches of a `cond` must return
    the same dtype, whatever `x` is. And `where` computes and differentiates every formula for every
    x. So a formula that divides by zero spoils the gradient even where it isn't chosen: 0 times
    infinity is NaN.

    Args:
        x: one number, a float or an integer, from Python or in an array of shape [].

    Returns:
        A scalar, computed by the formula that applies to `x`. For a float, it has the dtype of that
        float; for an integer, it is float32. The gradient is the slope of the chosen formula, even
        near 0. It has to work under `jit`, `vmap` and `grad`.

    Examples:
        >>> [round(float(piecewise(x)), 3) for x in (-3.0, 0.5, 4.0)]
        [9.0, 0.5, 1.75]
        >>> float(jax.jit(piecewise)(4))
        1.75

        The losses of three days:

        >>> import jax.numpy as jnp
        >>> forecast, sold = jnp.array([2.0, 7.5, 9.0]), jnp.array([5.0, 7.0, 5.0])
        >>> jax.vmap(piecewise)(forecast - sold).tolist()
        [9.0, 0.5, 1.75]

        Training follows the slopes. Near 0, the slope of 1/x is huge. It must not affect the
        result:

        >>> jax.vmap(jax.grad(piecewise))(jnp.array([-1.0, 1e-30, 0.5, 2.0])).tolist()
        [-2.0, 1.0, 1.0, 0.25]

    Details:
        At 0, the gradient may be the slope on either side, or a number between them. bfloat16 and
        float16 are also floats. NaN gives NaN. The square of an integer may be too big for its
        dtype, but the result is right.
    """
    # TODO: choose one of three formulas, each made safe for every x.
    raise NotImplementedError
