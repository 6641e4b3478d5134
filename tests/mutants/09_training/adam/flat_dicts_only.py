"""Written for one dict of arrays, and for nothing else.

Fails: test_seven_steps_follow_the_formula, test_any_tree_is_kept, test_all_memory_is_in_the_state
"""

import jax.numpy as jnp


def adam(lr):
    def init(params):
        return {name: (jnp.zeros_like(p), jnp.zeros_like(p)) for name, p in params.items()}, 0

    def update(params, grads, state):
        moments, t = state
        t, new, params = t + 1, {}, dict(params)
        for name, g in grads.items():
            m, v = moments[name]
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
            new[name] = m, v
            step = m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
            params[name] = params[name] - lr * step
        return params, (new, t)

    return init, update
