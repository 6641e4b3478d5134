"""Unrolls its loop into composites, each inside of another one (T20).

Exercise: 04_control_flow/fib_like
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp


def unrolled(a0, n):
    terms = [a0, 2 * a0]
    while len(terms) < n:
        terms.append(terms[-1] + terms[-2])
    return jnp.stack(terms)[:n]


def fib_like(a0, n):
    def step(pair):
        return pair[1], pair[0] + pair[1]

    for _ in range(7):
        once = step
        step = jax.lax.composite(lambda pair, once=once: once(once(pair)), "my.steps")
    a0 = jnp.asarray(a0, jnp.float32)
    # 128 steps behind one name. They are kept in use, and the terms come from a loop.
    last, _ = step((a0, 2 * a0))
    pair = (a0, 2 * a0)
    _, terms = jax.lax.scan(lambda p, _: ((p[1], p[0] + p[1]), p[0]), pair, None, length=n)
    return jnp.where(last > 0, terms, terms + 0 * last)
