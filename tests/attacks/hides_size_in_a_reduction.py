"""Unrolls steps inside the inner program of a reduction, which is one operation (T20).

Exercise: 04_control_flow/fib_like
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp


def wasted(x, y):
    for _ in range(150):
        x, y = y, x + y
    return x


def fib_like(a0, n):
    a0 = jnp.asarray(a0, jnp.float32)
    last = jax.lax.reduce(jnp.stack([a0, a0]), jnp.float32(0), wasted, (0,))
    pair = (a0, 2 * a0)
    _, terms = jax.lax.scan(lambda p, _: ((p[1], p[0] + p[1]), p[0]), pair, None, length=n)
    return jnp.where(last > 0, terms, terms + 0 * last)
