"""Compute the gradient of each example separately.

The Autodiff Cookbook: https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html
"""

from collections.abc import Callable
from typing import Any

import jax


def per_example_grads(
    loss: Callable[[Any, jax.Array, jax.Array], jax.Array], params: Any, X: jax.Array, Y: jax.Array
) -> Any:
    """Return the gradient of `loss` with respect to `params`, for each example of a batch.

    Training needs only the average of these gradients. But private training clips each example's
    gradient, and you may want to find unusual examples or measure the noise of a batch. In JAX, you
    compose two transformations for this. One turns a loss into its gradient, the other turns code
    for one example into code for a batch.

    Args:
        loss: a function (params, x, y) -> scalar of one example `x`, `y`. It doesn't work on a
            batch axis.
        params: a pytree of float arrays.
        X: [N, ...], integers or floats, one example per row.
        Y: [N, ...], its targets, integers or floats.

    Returns:
        A pytree of the structure of `params`. A leaf of shape s in `params` gives a leaf of shape
        [N, *s]; row n is the gradient of `loss(params, X[n], Y[n])`. For 300 examples, the program
        has fewer than 300 operations.

    Examples:
        >>> import jax.numpy as jnp
        >>> def loss(params, x, y):
        ...     return (params["w"] @ x - y) ** 2
        >>> params = {"w": jnp.array([1.0, 0.0])}
        >>> X = jnp.array([[1.0, 2.0], [3.0, 4.0], [2.0, 1.0]])
        >>> Y = jnp.array([0.0, 2.0, 1.0])
        >>> per_example_grads(loss, params, X, Y)["w"].tolist()
        [[2.0, 4.0], [6.0, 8.0], [4.0, 2.0]]

        Their mean is the gradient of the mean loss:

        >>> grads = jax.grad(lambda p: jnp.mean((X @ p["w"] - Y) ** 2))(params)
        >>> [round(g, 3) for g in grads["w"].tolist()]
        [4.0, 4.667]

        The program for many examples is barely longer than the one for a few:

        >>> program = jax.make_jaxpr(lambda x: per_example_grads(loss, params, x, x[:, 0]))
        >>> few, many = (len(str(program(jnp.ones((n, 2))))) for n in (8, 64))
        >>> many < 3 * few
        True

    Details:
        The loss may be any function that `jax.grad` can differentiate, such as one with a
        `jax.custom_vjp`. Each leaf has the dtype of its parameter. NaN in one example has no effect
        on the others. The result can be differentiated again, and for 300 examples that program has
        fewer than 300 operations.
    """
    # TODO: get the gradient of one example, and map it over the batch.
    raise NotImplementedError
