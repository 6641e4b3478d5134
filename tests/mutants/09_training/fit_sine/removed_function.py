"""`jax.tree_multimap`, which the tutorial uses for its step, is gone.

Fails: test_parameters_and_losses_have_their_shapes, test_the_last_loss_is_small_for_ten_keys,
test_it_fits_points_that_it_has_not_seen, test_the_key_decides, test_no_key_is_used_twice
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax


@jax.jit
def train(params, x, y):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return jax.tree_multimap(lambda p, g: p - 1e-3 * g, params, grads), value

    return lax.scan(step, params, length=1000)
