"""The sum is taken instead of the mean.

Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
test_the_parts_are_a_loss_a_pair_and_an_array, test_it_survives_jit_and_vmap
"""

import jax
import jax.numpy as jnp


def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.sum((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux
