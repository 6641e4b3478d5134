"""The squares are handed out instead of the differences.

Fails: test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
test_one_number_is_enough, test_it_survives_jit_and_vmap
"""

import jax
import jax.numpy as jnp


def loss_grads_aux(x, y):
    def loss(x, y):
        squares = (x - y) ** 2
        return jnp.mean(squares), squares

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux
