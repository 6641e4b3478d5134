"""NumPy does the work, which no transformation can follow.

Fails: test_it_survives_jit, test_the_gradient_is_the_weight_of_each_element,
test_an_empty_mask_has_gradient_zero
"""

import jax.numpy as jnp
import numpy as np


def masked_mean(x, mask):
    kept = np.asarray(x)[np.asarray(mask)]
    return jnp.float32(kept.mean() if kept.size else 0)
