"""xs are cut into blocks and ys dealt out in turn, so x and y of different examples meet.

Fails: test_one_step_equals_a_step_on_all_the_data, test_every_step_equals_a_step_on_all_the_data,
test_losses_are_over_all_the_data
"""

# ruff: noqa: F821
# `train` is the solution's.

import jax


def pmap_train(params, xs, ys, lr, steps):
    devices = jax.local_device_count()
    xs = xs.reshape(devices, -1, 1)
    ys = ys.reshape(-1, devices, 1).swapaxes(0, 1)
    return jax.tree.map(lambda replica: replica[0], train(params, xs, ys, lr, steps))
