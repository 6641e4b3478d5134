"""The gradients are put into a list.

Fails: test_the_parts_are_a_loss_a_pair_and_an_array, test_one_number_is_enough,
test_equal_arguments_have_gradient_zero,
test_it_survives_jit_and_vmap
"""

import jax
import jax.numpy as jnp


def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2)

    grads = [jax.grad(loss, argnums=n)(x, y) for n in (0, 1)]
    return loss(x, y), grads, x - y
