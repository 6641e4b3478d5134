"""`jit` with a static weight: a program for each one, and none for a traced one.

Fails: test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
test_the_program_does_not_grow
"""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnames="alpha")
def ema(x, alpha):
    x = x.astype(jnp.float32)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1]
