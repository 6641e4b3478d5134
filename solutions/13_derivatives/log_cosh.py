"""Reference solution: what arrives for an example multiplies its row of slopes."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def _losses(pred, target):
    size = jnp.abs(pred - target)
    return jnp.sum(size + jnp.log1p(jnp.exp(-2 * size)) - jnp.log(2), axis=1)


def _forward(pred, target):
    return _losses(pred, target), pred - target


def _backward(error, g):
    in_pred = g[:, None] * jnp.tanh(error)
    return in_pred, -in_pred


_losses.defvjp(_forward, _backward)


def log_cosh(pred: jax.Array, target: jax.Array) -> jax.Array:
    """The losses, with a rule for their gradients."""
    return _losses(pred, target)
