"""[n, 1] minus [n] is [n, n]: every prediction is compared with every y, without an error.

Fails: test_one_step_equals_a_step_on_all_the_data, test_every_step_equals_a_step_on_all_the_data,
test_losses_are_over_all_the_data
"""

import jax.numpy as jnp


def loss(params, x, y):
    weight, bias = params
    return jnp.mean((weight * x + bias - y[:, 0]) ** 2)
