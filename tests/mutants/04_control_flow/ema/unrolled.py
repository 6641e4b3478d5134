"""A Python loop and a list: right, and unrolled into a copy of its body per element.

Fails: test_the_program_does_not_grow
"""

import jax.numpy as jnp


def ema(x, alpha):
    x = x.astype(jnp.float32)
    averages = [x[0]]
    for t in range(1, len(x)):
        averages.append(alpha * averages[-1] + (1 - alpha) * x[t])
    return jnp.stack(averages)
