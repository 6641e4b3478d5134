"""Other right answers to dp_update_shard_map; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec
from jax.sharding import PartitionSpec as P


# %% by_hand
# The gradient is derived by hand, so `shard_map` has nothing to sum.
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


# %% named_sharding
# No `shard_map`: the data are placed on the mesh, and the compiler cuts the work.
def dp_update_shard_map(mesh):
    whole, cut = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("b"))

    def mean_error(params, x, y):
        weight, bias = params
        return jnp.mean(jnp.square(weight * x + bias - y))

    @jax.jit
    def update(params, x, y, lr):
        x, y = jax.lax.with_sharding_constraint((x, y), cut)
        value, grads = jax.value_and_grad(mean_error)(params, x, y)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    def placed(params, x, y, lr):
        return update(jax.device_put(params, whole), *jax.device_put((x, y), cut), lr)

    return placed


# %% summed_for_you
# `shard_map` sums the gradients, which are divided by the size of the mesh; the rate is closed
# over.
def dp_update_shard_map(mesh):
    @jax.jit
    def update(params, x, y, lr):
        def total(params, x, y):
            return jnp.sum((params[0] * x + params[1] - y) ** 2)

        def part(params, x, y):
            value, grads = jax.value_and_grad(total)(params, x, y)
            count = x.size * mesh.shape["b"]
            new = jax.tree.map(lambda p, g: p - lr * g / count, params, grads)
            return new, lax.psum(value, "b") / count

        cut = PartitionSpec("b", None)
        specs = (PartitionSpec(), cut, cut)
        sharded = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=PartitionSpec())
        return sharded(params, x, y)

    return update


# %% unchecked
# Without the checks of `shard_map`, the rules of `pmap` hold: gradient, then average.
def dp_update_shard_map(mesh):
    @jax.jit
    @partial(
        jax.shard_map,
        mesh=mesh,
        in_specs=(P(), P("b"), P("b"), P()),
        out_specs=(P(), P()),
        check_vma=False,
    )
    def update(params, x, y, lr):
        def error(params):
            return jnp.mean((params[0] * x + params[1] - y) ** 2)

        value, grads = lax.pmean(jax.value_and_grad(error)(params), "b")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return update
