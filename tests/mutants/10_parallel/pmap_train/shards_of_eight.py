"""Cuts the data into shards of eight instead of eight shards: right numbers, on four devices.

Fails: test_all_devices_take_part
"""

# ruff: noqa: F821
# `train` is the solution's.

import jax


def pmap_train(params, xs, ys, lr, steps):
    shape = (-1, jax.local_device_count(), 1)
    replicas = train(params, xs.reshape(shape), ys.reshape(shape), lr, steps)
    return jax.tree.map(lambda replica: replica[0], replicas)
