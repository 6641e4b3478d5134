"""The state is a dict that `update` writes into, so an old state is no longer old.

Fails: test_all_memory_is_in_the_state
"""

import jax
import jax.numpy as jnp


def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return {"m": zeros, "v": zeros, "t": jnp.array(0)}

    def update(params, grads, state):
        state["t"] += 1
        t = state["t"]
        state["m"] = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
        state["v"] = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state["v"], grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, state["m"], state["v"]), state

    return init, update
