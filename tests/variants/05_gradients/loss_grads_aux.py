"""Other right answers to loss_grads_aux; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp


# %% by_hand
# The gradients written out.
def loss_grads_aux(x, y):
    aux = x - y
    gx = 2 / aux.size * aux
    return jnp.mean(aux * aux), (gx, -gx), aux


# %% one_tree
# Both arguments are in one dict, so that there is one gradient of that structure.
@partial(jax.value_and_grad, has_aux=True)
def loss(pair):
    aux = pair["x"] - pair["y"]
    return jnp.einsum("...,...->", aux, aux) / aux.size, {"difference": aux}


def loss_grads_aux(x, y):
    (value, aux), grads = loss({"x": x, "y": y})
    return value, (grads["x"], grads["y"]), aux["difference"]


# %% pullback
# `jax.vjp` with auxiliary data, and a cotangent of one.
def loss_grads_aux(x, y):
    def loss(x, y):
        difference = x - y
        return jnp.vdot(difference, difference) / x.size, difference

    value, pullback, aux = jax.vjp(loss, x, y, has_aux=True)
    return value, pullback(jnp.ones_like(value)), aux


# %% two_gradients
# The loss and each gradient are computed separately, under `jit`.
def loss(x, y):
    return jnp.square(x - y).mean()


@jax.jit
def loss_grads_aux(x, y):
    gx, gy = (jax.grad(loss, argnums)(x, y) for argnums in (0, 1))
    return loss(x, y), (gx, gy), jnp.subtract(x, y)
