"""Lengths by NumPy, which stay out of the trace, and `lax.reshape`."""

import jax
import numpy as np
from jax import lax


@jax.jit
def flatten_batch(x):
    batch, *rest = x.shape
    return lax.reshape(x, (batch, int(np.prod(rest))))
