"""Reference solution: a scan whose carry is its output."""

import jax
import jax.numpy as jnp
from jax import lax


def rnn(params: dict[str, jax.Array], xs: jax.Array, h0: jax.Array) -> jax.Array:
    """One step, run along the sequence."""

    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]
