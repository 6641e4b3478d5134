"""A registered dataclass for the state, methods for the two functions, a float for the count."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Moments:
    first: Any
    second: Any
    t: Any


@dataclasses.dataclass(frozen=True)
class Adam:
    lr: float

    def init(self, params):
        zeros = jax.tree.map(lambda p: 0.0 * p, params)
        return Moments(zeros, zeros, jnp.float32(0))

    def update(self, params, grads, state):
        t = state.t + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state.second, grads)
        m_hat = jax.tree.map(lambda m: m / (1 - 0.9**t), first)
        v_hat = jax.tree.map(lambda v: v / (1 - 0.999**t), second)
        steps = jax.tree.map(lambda m, v: self.lr * m / (jnp.sqrt(v) + 1e-8), m_hat, v_hat)
        return jax.tree.map(jnp.subtract, params, steps), Moments(first, second, t)


def adam(lr):
    optimizer = Adam(lr)
    return optimizer.init, optimizer.update
