"""The gradient worked out by hand, in a `fori_loop` over a buffer of losses."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnums=1)
def xor_train(key, steps):
    x = jnp.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = jnp.logical_xor(x[:, 0], x[:, 1]).astype(jnp.float32)

    def step(k, state):
        (w1, b1, w2, b2), losses = state
        h = jnp.tanh(x @ w1 + b1)
        p = 1 / (1 + jnp.exp(-(h @ w2 + b2)))
        value = -jnp.mean(jnp.where(y == 1, jnp.log(p), jnp.log(1 - p)))
        error = (p - y) / 4
        inner = error[:, None] * w2 * (1 - h**2)
        new = (w1 - x.T @ inner, b1 - inner.sum(0), w2 - error @ h, b2 - error.sum()[None])
        return new, losses.at[k].set(value)

    draws = jax.random.normal(key, (13,))
    start = (draws[:6].reshape(2, 3), draws[6:9], draws[9:12], draws[12:])
    return lax.fori_loop(0, steps, step, (start, jnp.zeros(steps)))
