"""`jax.vjp` with auxiliary data, and a cotangent of one."""

import jax
import jax.numpy as jnp


def loss_grads_aux(x, y):
    def loss(x, y):
        difference = x - y
        return jnp.vdot(difference, difference) / x.size, difference

    value, pullback, aux = jax.vjp(loss, x, y, has_aux=True)
    return value, pullback(jnp.ones_like(value)), aux
