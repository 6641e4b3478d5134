"""The last layer has a ReLU, too, and half of the sine is negative.

Fails: test_the_last_loss_is_small_for_ten_keys,
test_it_fits_points_that_it_has_not_seen
"""

import jax


def predict(params, x):
    for layer in params:
        x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
    return x
