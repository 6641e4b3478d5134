"""The parameters are built anew as a plain tuple.

Fails: test_the_type_of_the_parameters_is_kept
"""

# ruff: noqa: F821
# `train` is the solution's.

import jax


def pmap_train(params, xs, ys, lr, steps):
    shape = (jax.local_device_count(), -1, 1)
    new, losses = train(tuple(params), xs.reshape(shape), ys.reshape(shape), lr, steps)
    return (new[0][0], new[1][0]), losses[0]
