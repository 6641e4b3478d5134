"""Both arguments in one dict, so that there is one gradient of that structure."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.value_and_grad, has_aux=True)
def loss(pair):
    aux = pair["x"] - pair["y"]
    return jnp.einsum("...,...->", aux, aux) / aux.size, {"difference": aux}


def loss_grads_aux(x, y):
    (value, aux), grads = loss({"x": x, "y": y})
    return value, (grads["x"], grads["y"]), aux["difference"]
