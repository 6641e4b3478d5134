"""The gradient is stopped at the state, as in truncated training: the past gets none.

Fails: test_gradients_agree_with_finite_differences
"""

import jax.numpy as jnp
from jax import lax


def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        average = alpha * lax.stop_gradient(average) + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]
