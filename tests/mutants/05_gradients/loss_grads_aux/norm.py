"""The square of a norm: the root has no gradient at zero, and gives NaN there.

Fails: test_equal_arguments_have_gradient_zero
"""

import jax
import jax.numpy as jnp


def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.linalg.norm((x - y).ravel()) ** 2 / x.size, x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux
