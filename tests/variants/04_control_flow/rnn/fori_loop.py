"""`fori_loop` over a buffer with h0 in front."""

import jax.numpy as jnp
from jax import lax


def rnn(params, xs, h0):
    wx, wh, b = params["Wx"], params["Wh"], params["b"]

    def step(t, hs):
        return hs.at[t + 1].set(jnp.tanh(jnp.dot(xs[t], wx) + jnp.dot(hs[t], wh) + b))

    hs = jnp.zeros((len(xs) + 1, len(h0))).at[0].set(h0)
    return lax.fori_loop(0, len(xs), step, hs)[1:]
