"""`int` makes the count a Python number, which nothing traced can be.

Fails: test_a_scan_carries_the_state
"""

import jax
import jax.numpy as jnp


def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = int(t) + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update
