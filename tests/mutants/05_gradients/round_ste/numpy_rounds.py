"""NumPy rounds, which no tracer survives.

Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
test_it_survives_vmap_and_jit
"""

import jax.numpy as jnp
import numpy as np


def round_ste(x):
    return x + jnp.asarray(np.round(x) - x)
