"""Two forms and a `where`: the value is right, and the gradient runs through both.

Fails: test_big_logits_have_a_gradient
"""

import jax.numpy as jnp


def bce_logits(z, y):
    softplus = jnp.where(z > 0, z + jnp.log1p(jnp.exp(-z)), jnp.log1p(jnp.exp(z)))
    return softplus - y * z
