"""Take the gradient of each example apart from the others.

https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html
"""

from collections.abc import Callable
from typing import Any

import jax


def per_example_grads(
    loss: Callable[[Any, jax.Array, jax.Array], jax.Array], params: Any, X: jax.Array, Y: jax.Array
) -> Any:
    """Return the gradient of `loss` in `params` for each example of a batch.

    Training needs the average of these gradients alone, and most libraries can give you nothing
    else. But private training clips each example's gradient, and to find odd examples, or to
    measure the noise of a batch, you have to see them one by one. In JAX that is a composition of
    two transformations: one makes a gradient out of a loss, the other makes a batch out of one
    example.

    Args:
        loss: a function (params, x, y) -> scalar of one example `x`, `y`. It has no batch axis
            to work on, and may be any function that JAX can differentiate.
        params: a pytree of float arrays.
        X: [N, ...], one example per row.
        Y: [N, ...], its targets, integers or floats.

    Returns:
        A pytree of the structure of `params`. Where a leaf of `params` has shape s, it has
        [N, *s]; row n is the gradient of `loss(params, X[n], Y[n])`. The traced program is no
        bigger for many examples than for a few.

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
    """
    # TODO: get the gradient of one example, and map it over the batch.
    raise NotImplementedError
