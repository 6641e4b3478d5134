"""The loss becomes a Python number, which needs a value while tracing.

Fails: test_it_survives_jit_and_vmap
"""

import jax
import jax.numpy as jnp


def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value.item(), grads, aux
