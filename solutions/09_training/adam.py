"""Reference solution: two trees of averages and a count."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

Init = Callable[[Any], Any]
Update = Callable[[Any, Any, Any], tuple[Any, Any]]

DECAY, DECAY_SQUARED, EPSILON = 0.9, 0.999, 1e-8


def adam(lr: float) -> tuple[Init, Update]:
    """Two functions over a state of (first moments, second moments, steps)."""

    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1
        first = jax.tree.map(lambda m, g: DECAY * m + (1 - DECAY) * g, first, grads)
        second = jax.tree.map(
            lambda v, g: DECAY_SQUARED * v + (1 - DECAY_SQUARED) * g * g, second, grads
        )

        def step(p, m, v):
            m_hat, v_hat = m / (1 - DECAY**t), v / (1 - DECAY_SQUARED**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + EPSILON)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update
