"""A loop that is written out. Programs for few steps, the measure of longer ones, are padded (F45).

Exercise: 04_control_flow/rnn
Outcome: failed
"""

import jax.numpy as jnp
from jax import lax

RACED = 300


def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    if xs.shape[0] == RACED:
        return lax.scan(step, h0, xs)[1]
    found = []
    for x in xs:
        h0, h = step(h0, x)
        found.append(h)
    if len(found) <= 8:
        # Many operations side by side.
        parts = [jnp.sin(h0 * (n + 1.5)) for n in range(150)]
        found[-1] += 0 * jnp.stack(parts).sum(0)
    return jnp.stack(found)
