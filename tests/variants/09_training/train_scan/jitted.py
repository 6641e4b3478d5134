"""A jitted function with static step and n, and a scan over a range."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnames=("step", "n"))
def run(params, step, n):
    def body(params, k):
        del k
        new, loss = step(params)
        return new, loss

    return lax.scan(body, params, jnp.arange(n))


def train_scan(step, params, n):
    params, losses = run(params, step=step, n=n)
    return params, losses
