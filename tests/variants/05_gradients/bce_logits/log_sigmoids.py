"""Both logarithms by `log_sigmoid`, weighted by the label."""

import jax


def bce_logits(z, y):
    return -(y * jax.nn.log_sigmoid(z) + (1 - y) * jax.nn.log_sigmoid(-z))
