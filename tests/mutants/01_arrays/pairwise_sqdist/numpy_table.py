"""NumPy fills the table, which no transformation can follow.

Fails: test_equal_points_have_a_gradient, test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp
import numpy as np


def pairwise_sqdist(X, Y):
    difference = np.asarray(X)[:, None] - np.asarray(Y)
    return jnp.asarray((difference**2).sum(-1))
