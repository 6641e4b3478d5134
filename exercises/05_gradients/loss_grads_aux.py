"""Get a loss, its gradients and intermediate results in one call.

https://docs.jax.dev/en/latest/_autosummary/jax.value_and_grad.html
"""

import jax


def loss_grads_aux(
    x: jax.Array, y: jax.Array
) -> tuple[jax.Array, tuple[jax.Array, jax.Array], jax.Array]:
    """Return the mean squared difference of `x` and `y`, its gradients in both, and `x - y`.

    A training step needs the loss for its log and the gradients for the update. Often it also needs
    an intermediate result, such as predictions. You can't save this in a global variable or an
    attribute: while JAX differentiates, it is a tracer, and useless afterwards.
    `jax.value_and_grad` returns everything, if your function returns a pair of the loss and the
    rest, and if you set the right option.

    Args:
        x: float32 of any shape, including []; at least one element.
        y: float32 of the same shape.

    Returns:
        (loss, (gx, gy), aux): the mean of (x - y)^2 over all elements, a scalar; its gradients with
        respect to `x` and to `y`, each of their shape; and x - y itself. Works under `jit` and
        `vmap`. `jax.grad` can also differentiate the returned loss.

    Examples:
        >>> import jax.numpy as jnp
        >>> x, y = jnp.array([3.0, 2.0, 5.0, 0.0]), jnp.array([1.0, 0.0, 1.0, 2.0])
        >>> loss, (gx, gy), aux = loss_grads_aux(x, y)
        >>> float(loss), aux.tolist()
        (7.0, [2.0, 2.0, 4.0, -2.0])
        >>> gx.tolist(), gy.tolist()
        ([1.0, 1.0, 2.0, -1.0], [-1.0, -1.0, -2.0, 1.0])

        The whole function can be compiled:

        >>> loss, _, _ = jax.jit(loss_grads_aux)(x, y)
        >>> float(loss)
        7.0

    Details:
        Where `x` equals `y`, the gradients are 0. If an element of `x` or `y` is NaN, so are the
        loss and both gradients of this element.
    """
    # TODO: write the loss as a function of both, differentiate it, and rearrange the results.
    raise NotImplementedError
