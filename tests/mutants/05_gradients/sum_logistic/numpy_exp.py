"""NumPy's exp, which has no derivative and can't be traced.

Fails: test_the_gradient_has_its_closed_form, test_the_third_derivative_is_right,
test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap
"""

import jax.numpy as jnp
import numpy as np


def sum_logistic(x):
    decay = np.exp(-np.abs(np.asarray(x, np.float32)))
    return jnp.sum(jnp.where(jnp.asarray(x) < 0, decay, 1) / (1 + decay))
