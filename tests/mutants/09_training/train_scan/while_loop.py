"""A `while_loop`, which reverse mode can't run backwards.

Fails: test_the_training_has_a_gradient
"""

import jax.numpy as jnp
from jax import lax


def train_scan(step, params, n):
    def body(state):
        k, params, losses = state
        params, loss = step(params)
        return k + 1, params, losses.at[k].set(loss)

    _, *found = lax.while_loop(lambda state: state[0] < n, body, (0, params, jnp.zeros(n)))
    return tuple(found)
