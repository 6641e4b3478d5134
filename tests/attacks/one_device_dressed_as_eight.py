"""Trains on one device, and places a copy of the data on all (T11).

Exercise: 10_parallel/pmap_train
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec


def pmap_train(params, xs, ys, lr, steps):
    mesh = jax.make_mesh((jax.device_count(),), ("d",), axis_types=(AxisType.Auto,))
    xs, ys = jax.device_put((xs, ys), NamedSharding(mesh, PartitionSpec()))

    def loss(params):
        return jnp.mean((params[0] * xs + params[1] - ys) ** 2)

    def step(params, _):
        value, slopes = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, slope: p - lr * slope, params, slopes), value

    return jax.lax.scan(step, params, length=steps)
