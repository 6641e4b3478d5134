"""The side of the input weights is picked by what fits, and both sides may.

Fails: test_nothing_is_transposed_when_every_shape_fits
"""

import jax.numpy as jnp
from jax import lax


def rnn(params, xs, h0):
    def weigh(x):
        weights = params["Wx"]
        return weights @ x if weights.shape[1] == x.shape[0] > 1 else x @ weights

    def step(h, x):
        h = jnp.tanh(weigh(x) + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]
