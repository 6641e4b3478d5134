"""Fix a gradient that is right in a sum alone.

https://docs.jax.dev/en/latest/_autosummary/jax.custom_vjp.html
"""

import jax
import jax.numpy as jnp


def log_cosh(pred: jax.Array, target: jax.Array) -> jax.Array:
    """Return the robust loss of each example: the sum of log(cosh(pred - target)).

    A program that runs, and that somebody uses. Fix it.

    What was seen: the losses are right, and so are the gradients of their sum. The mean of the
    losses has the gradient of the sum, so the learning rate had to be divided by the size of the
    batch. Weights of the examples have no effect on the gradient. If a loss is subtracted from
    another one, training makes it smaller, and should make it larger.

    Args:
        pred: float32 of shape (N, D).
        target: float32 of shape (N, D).

    Returns:
        float32 of shape (N,), a loss for each example. Losses and gradients are finite, also for
        errors of some thousand. For the backward pass, only one array of the size of `pred` is
        kept. The gradients in `pred` and in `target` are right, whatever follows after this
        function. Works under `jit` and `vmap`.

    Examples:
        >>> pred, target = jnp.array([[100.0, 0.0], [0.0, -50.0]]), jnp.zeros((2, 2))
        >>> print(log_cosh(pred, target).astype(int))
        [99 49]

        The gradient of the sum, and of a weighted sum:

        >>> jax.grad(lambda pred: log_cosh(pred, target).sum())(pred).tolist()
        [[1.0, 0.0], [0.0, -1.0]]
        >>> weights = jnp.array([0.5, 4.0])
        >>> jax.grad(lambda pred: weights @ log_cosh(pred, target))(pred).tolist()
        [[0.5, 0.0], [0.0, -4.0]]
    """
    return _losses(pred, target)


@jax.custom_vjp
def _losses(pred, target):
    size = jnp.abs(pred - target)
    return jnp.sum(size + jnp.log1p(jnp.exp(-2 * size)) - jnp.log(2), axis=1)


def _forward(pred, target):
    return _losses(pred, target), pred - target


def _backward(error, g):
    slope = jnp.tanh(error)
    return slope, -slope


_losses.defvjp(_forward, _backward)
