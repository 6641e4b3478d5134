"""The first of two classes, whose logits are x and 0."""

import jax
import jax.numpy as jnp


def sum_logistic(x):
    x = jnp.asarray(x)
    return jax.nn.softmax(jnp.stack([x, jnp.zeros_like(x)]), axis=0)[0].sum()
