"""Rounding and nothing else: its derivative is zero.

Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
test_it_survives_vmap_and_jit
"""

import jax.numpy as jnp


def round_ste(x):
    return jnp.round(x)
