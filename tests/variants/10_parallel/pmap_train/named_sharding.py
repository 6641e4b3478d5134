"""`jit` on data placed over all devices: the compiler does the averaging."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec


@jax.jit
def update(params, x, y, lr):
    weight, bias = params
    error = weight * x + bias - y
    slopes = (2 * jnp.mean(error * x), 2 * jnp.mean(error))
    new = [p - lr * slope for p, slope in zip(params, slopes, strict=True)]
    return jax.tree.unflatten(jax.tree.structure(params), new), jnp.mean(error**2)


def pmap_train(params, xs, ys, lr, steps):
    mesh = jax.make_mesh((jax.device_count(),), ("batch",), axis_types=(AxisType.Auto,))
    xs, ys = jax.device_put((xs, ys), NamedSharding(mesh, PartitionSpec("batch")))
    losses = []
    for _ in range(steps):
        params, value = jax.block_until_ready(update(params, xs, ys, lr))
        losses.append(value)
    return params, jnp.stack(losses)
