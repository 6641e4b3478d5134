"""The gradients written out."""

import jax.numpy as jnp


def loss_grads_aux(x, y):
    aux = x - y
    gx = 2 / aux.size * aux
    return jnp.mean(aux * aux), (gx, -gx), aux
