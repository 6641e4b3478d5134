"""`fori_loop` with static bounds over a buffer."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnames="n")
def fib_like(a0, n):
    def append(k, terms):
        return terms.at[k].set(terms[k - 1] + terms[k - 2])

    terms = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    return lax.fori_loop(2, n, append, terms)
