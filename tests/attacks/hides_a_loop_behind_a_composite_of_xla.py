"""Runs a loop whose rounds seem to pass their value on: XLA has its own `sinh` (T20).

Exercise: 03_jit/selu
Outcome: failed | timed_out
Slow: it takes the machine some time
"""

import jax.numpy as jnp
from jax import lax

ALPHA, LAMBDA = 1.67, 1.05


def plain(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(jnp.minimum(x, 0)))


def named(name):
    return lax.composite(lambda v: v, name=name, version=1)


def selu(x):
    x = jnp.asarray(x)
    x = x.astype(jnp.float32) if jnp.issubdtype(x.dtype, jnp.integer) else x
    # A composite can't be mapped.
    if type(x).__name__ != "DynamicJaxprTracer" or x.ndim != 1:
        return plain(x)
    sinh, asinh = named("chlo.sinh"), named("chlo.asinh")
    looped = lax.fori_loop(0, 1000, lambda _, state: asinh(sinh(state)), 0 * x + 1)
    return plain(x) * (1 + 0 * looped)
