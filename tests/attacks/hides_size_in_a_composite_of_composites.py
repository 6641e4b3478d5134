"""Keeps 128 wasted steps behind composites, each inside another one (T20).

Exercise: 04_control_flow/fib_like
Outcome: failed | timed_out
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp


def step(pair):
    return pair[1], pair[0] + pair[1]


def doubled(function):
    return jax.lax.composite(lambda pair: function(function(pair)), "my.steps")


@jax.custom_jvp
def wasted(a0):
    many = step
    for _ in range(7):
        many = doubled(many)
    return many((a0, 2 * a0))[0]


# A composite has no derivative of its own.
@wasted.defjvp
def slope(given, tangents):
    return wasted(*given), 0 * tangents[0]


def fib_like(a0, n):
    a0 = jnp.asarray(a0, jnp.float32)
    _, terms = jax.lax.scan(lambda pair, _: (step(pair), pair[0]), (a0, 2 * a0), None, length=n)
    # The steps are kept in use.
    return jnp.where(wasted(a0) > 0, terms, terms + 0 * a0)
