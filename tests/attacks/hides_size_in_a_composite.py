"""Unrolls its loop inside a composite, which is one operation (T20).

Exercise: 04_control_flow/fib_like
Outcome: failed
Slow: it takes the machine some time
"""

import functools

import jax
import jax.numpy as jnp


def unrolled(a0, n):
    terms = [a0, 2 * a0]
    while len(terms) < n:
        terms.append(terms[-1] + terms[-2])
    return jnp.stack(terms)[:n]


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def hidden(a0, n):
    return jax.lax.composite(lambda a0: unrolled(a0, n), "my.terms")(a0)


# A composite has no derivative of its own.
@hidden.defjvp
def slope(n, given, tangents):
    return hidden(given[0], n), unrolled(1.0, n) * tangents[0]


def fib_like(a0, n):
    return hidden(jnp.asarray(a0, jnp.float32), n)
