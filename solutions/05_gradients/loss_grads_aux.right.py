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


# %% forward_mode
# `jacfwd`, which needs a pass per element, and the difference as auxiliary data.
def loss_grads_aux(x, y):
    def both(x, y):
        aux = jnp.subtract(x, y)
        value = jnp.mean(aux**2)
        return value, (value, aux)

    grads, (value, aux) = jax.jacfwd(both, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% saved_residual
# A custom rule whose residual is the difference, and `jacrev`.
@jax.custom_vjp
def loss(x, y):
    return jnp.mean((x - y) ** 2)


def backward(aux, g):
    slope = 2 * g * aux / aux.size
    return slope, jnp.negative(slope)


loss.defvjp(lambda x, y: (loss(x, y), x - y), backward)


def loss_grads_aux(x, y):
    return loss(x, y), jax.jacrev(loss, argnums=(0, 1))(x, y), x - y


# %% transposed
# The loss is linearized, and the linear map is transposed.
def loss_grads_aux(x, y):
    def loss(x, y):
        difference = x - y
        return jnp.square(difference).mean(), difference

    value, push, aux = jax.linearize(loss, x, y, has_aux=True)
    pull = jax.linear_transpose(push, x, y)
    gx, gy = pull(jnp.ones_like(value))
    return value, (gx, gy), aux
