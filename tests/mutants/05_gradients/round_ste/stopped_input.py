"""The wrong x is made a constant: the derivative is minus one.

Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
test_it_survives_vmap_and_jit
"""

import jax.numpy as jnp
from jax import lax


def round_ste(x):
    return lax.stop_gradient(x) + (jnp.round(x) - x)
