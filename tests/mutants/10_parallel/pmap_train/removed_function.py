"""`jax.tree_map`, which old tutorials use, is gone.

Fails: test_one_step_equals_a_step_on_all_the_data, test_every_step_equals_a_step_on_all_the_data,
test_losses_are_over_all_the_data, test_one_example_per_device_is_enough,
test_all_devices_take_part, test_the_type_of_the_parameters_is_kept
"""

# ruff: noqa: F821
# `train` is the solution's.

import jax


def pmap_train(params, xs, ys, lr, steps):
    shape = (jax.local_device_count(), -1, 1)
    replicas = train(params, xs.reshape(shape), ys.reshape(shape), lr, steps)
    return jax.tree_map(lambda replica: replica[0], replicas)
