"""Averages and count live in a closure: one memory for all runs, and tracers left in it.

Fails: test_a_scan_carries_the_state, test_all_memory_is_in_the_state
"""

import jax
import jax.numpy as jnp


def adam(lr):
    memory = {}

    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        memory.update(m=zeros, v=zeros, t=0)
        return ()

    def update(params, grads, state):
        memory["t"] += 1
        t = memory["t"]
        memory["m"] = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, memory["m"], grads)
        memory["v"] = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, memory["v"], grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, memory["m"], memory["v"]), state

    return init, update
