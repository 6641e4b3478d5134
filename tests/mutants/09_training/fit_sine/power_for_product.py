"""`**` for `*` in the start, as in the tutorial: a negative number to a broken power.

Fails: test_parameters_and_losses_have_their_shapes, test_the_last_loss_is_small_for_ten_keys,
test_it_fits_points_that_it_has_not_seen, test_the_key_decides, test_no_key_is_used_twice
"""

import jax
import jax.numpy as jnp


def start(key):
    keys = jax.random.split(key, 3)
    return [
        {
            "weights": jax.random.normal(layer_key, (n_in, n_out)) ** jnp.sqrt(2 / n_in),
            "biases": jnp.ones(n_out),
        }
        for layer_key, n_in, n_out in zip(keys, (1, 128, 128), (128, 128, 1), strict=True)
    ]
