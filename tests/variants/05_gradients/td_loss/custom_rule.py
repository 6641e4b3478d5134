"""A rule of its own for the gradient, which mentions the guess alone."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def td_loss(w, s, r, s2, gamma):
    return (r + gamma * jnp.dot(w, s2) - jnp.dot(w, s)) ** 2


def forward(w, s, r, s2, gamma):
    error = r + gamma * jnp.dot(w, s2) - jnp.dot(w, s)
    return error**2, (w, s, s2, error)


def backward(saved, g):
    w, s, s2, error = saved
    nothing = jnp.zeros_like(error)
    return -2 * g * error * s, -2 * g * error * w, nothing, jnp.zeros_like(s2), nothing


td_loss.defvjp(forward, backward)
