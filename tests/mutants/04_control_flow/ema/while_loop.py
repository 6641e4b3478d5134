"""A `while_loop` over a buffer, which reverse mode can't run backwards.

Fails: test_gradients_agree_with_finite_differences
"""

import jax.numpy as jnp
from jax import lax


def ema(x, alpha):
    x = x.astype(jnp.float32)

    def average(state):
        t, y = state
        return t + 1, y.at[t].set(alpha * y[t - 1] + (1 - alpha) * x[t])

    return lax.while_loop(lambda state: state[0] < len(x), average, (1, x))[1]
