"""A training of its own for each loss, k steps from the start: n times the work.

Fails: test_it_is_fast
"""

import jax.numpy as jnp
from jax import lax


def train_scan(step, params, n):
    def body(params, is_on):
        return lax.cond(is_on, lambda p: step(p)[0], lambda p: p, params), None

    def params_after(k):
        return lax.scan(body, params, jnp.arange(n) < k)[0]

    losses = lax.map(lambda k: step(params_after(k))[1], jnp.arange(n))
    return params_after(n), losses
