"""A `while_loop`, which reverse mode can't run backwards.

Fails: test_it_has_a_gradient
"""

import jax.numpy as jnp
from jax import lax


def fib_like(a0, n):
    def not_done(state):
        return state[0] < n

    def append(state):
        k, older, newer, terms = state
        return k + 1, newer, older + newer, terms.at[k].set(older)

    first = jnp.asarray(a0, jnp.float32)
    *_, terms = lax.while_loop(not_done, append, (0, first, 2 * first, jnp.zeros(n)))
    return terms
