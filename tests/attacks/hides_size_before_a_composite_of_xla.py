"""Unrolls its loop in an operand that a composite seems to ignore: XLA has its own `asinh` (T20).

Exercise: 03_jit/selu
Outcome: failed | timed_out
"""

import jax.numpy as jnp
from jax import lax

ALPHA, LAMBDA = 1.67, 1.05


def plain(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(jnp.minimum(x, 0)))


def selu(x):
    x = jnp.asarray(x)
    x = x.astype(jnp.float32) if jnp.issubdtype(x.dtype, jnp.integer) else x
    # A composite can't be mapped.
    if type(x).__name__ != "DynamicJaxprTracer" or x.ndim != 1:
        return plain(x)
    found = jnp.stack([plain(element) for element in x])
    # The function behind the composite gives zeros, whatever it gets. XLA computes asinh.
    return jnp.sinh(lax.composite(jnp.zeros_like, name="chlo.asinh", version=1)(found))
