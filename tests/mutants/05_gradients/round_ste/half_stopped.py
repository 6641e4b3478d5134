"""Only the rounded number is a constant, so the two x cancel in the derivative as well.

Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
test_it_survives_vmap_and_jit
"""

import jax.numpy as jnp
from jax import lax


def round_ste(x):
    return x + (lax.stop_gradient(jnp.round(x)) - x)
