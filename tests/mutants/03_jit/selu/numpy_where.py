"""NumPy does the work, which no transformation can follow.

Fails: test_it_survives_jit, test_it_survives_vmap, test_the_gradient_survives_large_numbers,
test_the_program_does_not_grow
"""

import jax.numpy as jnp
import numpy as np

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    x = np.asarray(x, np.float32)
    return jnp.asarray(LAMBDA * np.where(x > 0, x, ALPHA * np.expm1(np.minimum(x, 0))))
