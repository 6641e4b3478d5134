"""Give a derivative to a function that has none.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.stop_gradient.html
"""

import jax


def round_ste(x: float | jax.Array) -> jax.Array:
    """Return `x` rounded to the nearest integers, with the derivative of `x` itself.

    A rounded number doesn't change when its input changes a little, so the true derivative is 0,
    and the layers before a rounding step learn nothing. So quantised networks are trained with
    another derivative. In the forward pass they round. In the backward pass, every gradient passes
    through as if they didn't. You have to write a function whose value comes from one expression
    and whose derivative comes from another.

    Args:
        x: finite floats of any shape and dtype, or a Python float. A number halfway between two
            integers may go to either.

    Returns:
        The rounded numbers, floats of the shape and dtype of `x`. In reverse mode, each element's
        gradient is the incoming one, unchanged. Works under `jit` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([-1.2, 0.3, 2.6])
        >>> round_ste(x).tolist()
        [-1.0, 0.0, 3.0]
        >>> jax.grad(lambda x: round_ste(x).sum())(x).tolist()
        [1.0, 1.0, 1.0]

        Operations after the step get the rounded number. The gradient here is 2 * 3:

        >>> value, gradient = jax.value_and_grad(lambda x: round_ste(x) ** 2)(2.6)
        >>> float(value), float(gradient)
        (9.0, 6.0)
    """
    # TODO: find an expression that has the value of the rounded number and the derivative of x.
    raise NotImplementedError
