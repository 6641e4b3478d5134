"""The state holds flat lists of leaves and a Python number, and one function does one leaf."""

import jax
import jax.numpy as jnp


def adam(lr):
    def init(params):
        leaves = jax.tree.leaves(params)
        return [(jnp.zeros(p.shape), jnp.zeros(p.shape)) for p in leaves], 0

    def one(p, g, m, v, t):
        m, v = 0.9 * m + (1 - 0.9) * g, 0.999 * v + (1 - 0.999) * g**2
        step = m / (1 - jnp.power(0.9, t)) / (jnp.sqrt(v / (1 - jnp.power(0.999, t))) + 1e-8)
        return p - lr * step, (m, v)

    def update(params, grads, state):
        moments, t = state
        leaves, treedef = jax.tree.flatten(params)
        pairs = zip(leaves, treedef.flatten_up_to(grads), moments, strict=True)
        done = [one(p, g, *both, t + 1) for p, g, both in pairs]
        return treedef.unflatten([p for p, _ in done]), ([both for _, both in done], t + 1)

    return init, update
