"""Reference solution: value_and_grad in both arguments, with auxiliary data."""

import jax
import jax.numpy as jnp


def mean_square(x, y):
    """The loss, and the differences that it is computed from."""
    difference = x - y
    return jnp.mean(difference**2), difference


def loss_grads_aux(
    x: jax.Array, y: jax.Array
) -> tuple[jax.Array, tuple[jax.Array, jax.Array], jax.Array]:
    """What value_and_grad returns, in another order."""
    (loss, aux), grads = jax.value_and_grad(mean_square, argnums=(0, 1), has_aux=True)(x, y)
    return loss, grads, aux
