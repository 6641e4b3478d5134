"""A row vector as the state, and axes of length 1 squeezed away at the end.

Fails: test_one_step_and_one_unit_are_enough
"""

import jax.numpy as jnp
from jax import lax


def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x[None] @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0[None], xs)[1].squeeze()
