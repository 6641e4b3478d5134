"""The first shard is sent to every device, and the rest of the data is never seen.

Fails: test_one_step_equals_a_step_on_all_the_data, test_every_step_equals_a_step_on_all_the_data,
test_losses_are_over_all_the_data, test_one_example_per_device_is_enough
"""

# ruff: noqa: F821
# `train` is the solution's.

import jax
import jax.numpy as jnp


def pmap_train(params, xs, ys, lr, steps):
    devices = jax.local_device_count()
    xs, ys = (jnp.stack([data[: len(data) // devices]] * devices) for data in (xs, ys))
    return jax.tree.map(lambda replica: replica[0], train(params, xs, ys, lr, steps))
