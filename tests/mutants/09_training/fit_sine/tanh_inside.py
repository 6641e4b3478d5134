"""tanh where ReLU was asked for: the losses are fine, and belong to another network.

Fails: test_it_fits_points_that_it_has_not_seen
"""

import jax.numpy as jnp


def predict(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jnp.tanh(x @ layer["weights"] + layer["biases"])
    return x @ last["weights"] + last["biases"]
