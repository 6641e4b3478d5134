"""For each state the sequence is run again, and the steps after it are undone: T times the work.

Fails: test_it_is_fast
"""

import jax.numpy as jnp
from jax import lax


def rnn(params, xs, h0):
    times = jnp.arange(len(xs))

    def state(last):
        def step(h, now):
            t, x = now
            new = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
            return jnp.where(t <= last, new, h), None

        return lax.scan(step, h0, (times, xs))[0]

    return lax.map(state, times)
