"""NumPy chooses, which no transformation can follow.

Fails: test_it_survives_jit, test_a_batch_can_be_computed, test_each_piece_has_its_gradient,
test_the_gradient_is_finite_at_zero
"""

import jax.numpy as jnp
import numpy as np


def piecewise(x):
    x = jnp.asarray(x) * 1.0
    above = 2 - 1 / np.maximum(np.asarray(x), 1)
    return jnp.asarray(np.where(x < 0, x**2, np.where(x < 1, x, above)).astype(x.dtype))
