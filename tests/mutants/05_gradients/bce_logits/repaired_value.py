"""NaN and infinity are replaced at the end.

Fails: test_big_logits_have_their_value, test_big_logits_have_a_gradient
"""

import jax.numpy as jnp


def bce_logits(z, y):
    p = 1 / (1 + jnp.exp(-z))
    return jnp.nan_to_num(-(y * jnp.log(p) + (1 - y) * jnp.log(1 - p)), posinf=100.0)
