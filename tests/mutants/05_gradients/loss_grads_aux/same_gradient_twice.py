"""`y` is closed over and held fixed, and its gradient is said to be that of `x`.

Fails: test_there_is_a_gradient_for_each_argument,
test_the_parts_are_a_loss_a_pair_and_an_array, test_one_number_is_enough,
test_it_survives_jit_and_vmap
"""

import jax
import jax.numpy as jnp


def loss_grads_aux(x, y):
    def loss(x):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grad = jax.value_and_grad(loss, has_aux=True)(x)
    return value, (grad, grad), aux
