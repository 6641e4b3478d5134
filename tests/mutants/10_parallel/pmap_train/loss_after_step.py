"""Each loss is computed with the parameters after the step.

Fails: test_losses_are_over_all_the_data
"""

# ruff: noqa: F821
# `loss` is the solution's.

from functools import partial

import jax
from jax import lax


@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    def step(params, _):
        grads = lax.pmean(jax.grad(loss)(params, x, y), "devices")
        params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
        return params, lax.pmean(loss(params, x, y), "devices")

    return lax.scan(step, params, length=steps)
