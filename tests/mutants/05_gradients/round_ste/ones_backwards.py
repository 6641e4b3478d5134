"""A rule that answers with ones, whatever gradient arrives.

Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed
"""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return jnp.round(x), x


def backward(x, g):
    return (jnp.ones_like(x),)


round_ste.defvjp(forward, backward)
