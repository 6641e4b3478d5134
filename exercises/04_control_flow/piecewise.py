"""Choose between formulas by a value that is traced.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.where.html
"""

import jax


def piecewise(x: float | jax.Array) -> jax.Array:
    """Return x^2 where x < 0, x where 0 <= x < 1, and 2 - 1/x where x >= 1.

    An `if` on `x` fails under `jit` and `vmap`. That is why activation functions, robust losses and
    boundary conditions are written with `jnp.where` or `jax.lax.cond`. Each of the two has a trap.
    The branches of a `cond` must return the same dtype, whatever `x` is. And `where` computes and
    differentiates every formula for every x. So a formula that divides by zero spoils the gradient
    even where it isn't chosen: 0 times infinity is NaN.

    Args:
        x: one number, a float or an integer, from Python or in an array of shape []; known at
            run time only.

    Returns:
        A scalar. For a float it has the dtype of that float; for an integer it is float32. The
        gradient is the slope of the chosen formula, also near 0. It has to work under `jit`,
        `vmap` and `grad`.

    Examples:
        >>> [round(float(piecewise(x)), 3) for x in (-3.0, 0.5, 4.0)]
        [9.0, 0.5, 1.75]
        >>> float(jax.jit(piecewise)(4))
        1.75

        Near 0 the slope of 1/x is huge. It must not reach the result:

        >>> import jax.numpy as jnp
        >>> jax.vmap(jax.grad(piecewise))(jnp.array([-1.0, 1e-30, 0.5, 2.0])).tolist()
        [-2.0, 1.0, 1.0, 0.25]

    Details:
        At 0 the gradient may be the slope on either side, or a number between. bfloat16 and float16
        are floats, too. NaN gives NaN. The square of an integer may be too big for its dtype, but
        the result is right.
    """
    # TODO: choose one of three formulas, each made safe for every x.
    raise NotImplementedError
