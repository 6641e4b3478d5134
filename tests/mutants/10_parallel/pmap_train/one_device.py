"""One device does all the work and the others look on: the numbers are right.

Fails: test_all_devices_take_part
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax


def pmap_train(params, xs, ys, lr, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, xs, ys)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)
