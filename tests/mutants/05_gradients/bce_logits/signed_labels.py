"""The formula for labels of -1 and 1.

Fails: test_the_value_is_the_cross_entropy, test_labels_may_be_soft_or_integers,
test_big_logits_have_their_value, test_the_gradient_is_probability_minus_label,
test_big_logits_have_a_gradient, test_a_batch_is_a_program
"""

import jax.numpy as jnp


def bce_logits(z, y):
    return jnp.logaddexp(0.0, -y * z)
