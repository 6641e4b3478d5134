"""The gradient is stopped at the state, so no error reaches an earlier step.

Fails: test_gradients_reach_every_step
"""

import jax.numpy as jnp
from jax import lax


def rnn(params, xs, h0):
    def step(h, x):
        h = lax.stop_gradient(h)
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]
