"""The rate of the tutorial, and ten steps where it takes two thousand.

Fails: test_the_last_loss_is_small_for_ten_keys,
test_it_fits_points_that_it_has_not_seen
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax


@jax.jit
def train(params, x, y):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - 1e-4 * g, params, grads), value

    return lax.scan(step, params, length=10)
