"""The safe form is chosen with a Python `if`, which no transformation can follow.

Fails: test_the_gradient_is_probability_minus_label, test_big_logits_have_a_gradient,
test_a_batch_is_a_program
"""

import jax.numpy as jnp


def bce_logits(z, y):
    if z > 0:
        return (1 - y) * z + jnp.log1p(jnp.exp(-z))
    return jnp.log1p(jnp.exp(z)) - y * z
