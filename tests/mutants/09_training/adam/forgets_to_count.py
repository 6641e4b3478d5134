"""The count is never handed on: every step is corrected like the first one.

Fails: test_seven_steps_follow_the_formula, test_tiny_gradients_and_none_at_all,
test_any_tree_is_kept, test_a_scan_carries_the_state, test_all_memory_is_in_the_state
"""

import jax
import jax.numpy as jnp


def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t - 1)

    return init, update
