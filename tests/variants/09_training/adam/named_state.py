"""A namedtuple for the state, a jitted update, and the corrections moved into the rate."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    t: Any
    m: Any
    v: Any


def adam(lr):
    def init(params):
        def zeros():
            return jax.tree_util.tree_map(jnp.zeros_like, params)

        return State(jnp.zeros((), jnp.int32), zeros(), zeros())

    @jax.jit
    def update(params, grads, state):
        t = state.t + 1
        m = jax.tree.map(lambda m, g: m + 0.1 * (g - m), state.m, grads)
        v = jax.tree.map(lambda v, g: v + 0.001 * (jnp.square(g) - v), state.v, grads)
        root = jnp.sqrt(1 - 0.999**t)
        rate = lr * root / (1 - 0.9**t)
        new = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8 * root), params, m, v)
        return new, State(t, m, v)

    return init, update
