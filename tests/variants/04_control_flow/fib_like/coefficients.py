"""Every term is a multiple of the start, so the factors are known while tracing."""

import jax.numpy as jnp
import numpy as np


def fib_like(a0, n):
    factors = [1, 2]
    while len(factors) < n:
        factors.append(factors[-1] + factors[-2])
    return jnp.asarray(a0, jnp.float32) * np.array(factors[:n], np.float32)
