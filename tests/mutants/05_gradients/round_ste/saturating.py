"""The gradient passes for numbers between -1 and 1 only, as for networks of signs.

Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
test_it_survives_vmap_and_jit
"""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return jnp.round(x), x


def backward(x, g):
    return (jnp.where(jnp.abs(x) <= 1, g, 0.0),)


round_ste.defvjp(forward, backward)
