"""The differences are flattened before they are handed out.

Fails: test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
test_one_number_is_enough, test_equal_arguments_have_gradient_zero,
test_it_survives_jit_and_vmap
"""

import jax


def loss_grads_aux(x, y):
    def loss(x, y):
        difference = (x - y).ravel()
        return difference @ difference / difference.size, difference

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux
