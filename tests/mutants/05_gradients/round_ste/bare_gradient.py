"""The rule returns the gradient without the tuple around it.

Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
test_it_survives_vmap_and_jit
"""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return jnp.round(x), None


def backward(_, g):
    return g


round_ste.defvjp(forward, backward)
