"""NumPy computes the averages, and no transformation can follow.

Fails: test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
test_the_program_does_not_grow
"""

import jax.numpy as jnp
import numpy as np


def ema(x, alpha):
    averages = np.array(x, np.float32)
    for t in range(1, len(averages)):
        averages[t] = alpha * averages[t - 1] + (1 - alpha) * averages[t]
    return jnp.asarray(averages)
