"""The model lacks its `return`, as the tutorial's does.

Fails: test_parameters_and_losses_have_their_shapes, test_the_last_loss_is_small_for_ten_keys,
test_it_fits_points_that_it_has_not_seen, test_the_key_decides, test_no_key_is_used_twice
"""

import jax


def predict(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
    x @ last["weights"] + last["biases"]
