"""The rule's forward half returns x as it is, so the value changes when somebody differentiates.

Fails: test_the_arriving_gradient_is_not_changed, test_it_survives_vmap_and_jit
"""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return x, None


def backward(_, g):
    return (g,)


round_ste.defvjp(forward, backward)
