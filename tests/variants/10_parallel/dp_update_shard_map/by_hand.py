"""The gradient worked out by hand, so there is nothing for `shard_map` to sum."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec


class DataParallel:
    def __init__(self, mesh):
        whole, cut = PartitionSpec(), PartitionSpec(mesh.axis_names)
        sharded = jax.shard_map(
            self.part, mesh=mesh, in_specs=(whole, cut, cut, whole), out_specs=whole
        )
        self.update = jax.jit(sharded)

    def part(self, params, x, y, lr):
        weight, bias = params
        error = weight * x + bias - y
        slopes = lax.pmean((2 * jnp.mean(error * x), 2 * jnp.mean(error)), "b")
        new = [p - lr * slope for p, slope in zip(params, slopes, strict=True)]
        value = lax.pmean(jnp.mean(error**2), "b")
        return jax.tree.unflatten(jax.tree.structure(params), new), value

    def __call__(self, params, x, y, lr):
        return self.update(params, x, y, jnp.float32(lr))


def dp_update_shard_map(mesh):
    return DataParallel(mesh).__call__
