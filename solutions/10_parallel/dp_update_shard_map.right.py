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


# %% jit_shardings
# Only `jit`, with the shardings of arguments and results.
def dp_update_shard_map(mesh):
    whole, cut = (NamedSharding(mesh, spec) for spec in (P(), P("b")))

    @partial(jax.jit, in_shardings=(whole, cut, cut, whole), out_shardings=whole)
    def update(params, x, y, lr):
        def mean_error(params):
            return jnp.mean((jnp.polyval(jnp.stack(params), x) - y) ** 2)

        value, grads = jax.value_and_grad(mean_error)(params)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return update


# %% ring
# Gradient and loss travel around the ring of devices, without the checks of `shard_map`.
def dp_update_shard_map(mesh):
    (size,) = mesh.devices.shape
    ring = [(i, (i + 1) % size) for i in range(size)]

    def part(params, x, y, lr):
        error = params[0] * x + params[1] - y
        own = jnp.array([jnp.mean(error**2), 2 * jnp.mean(error * x), 2 * jnp.mean(error)])
        total = own
        for _ in range(size - 1):
            own = lax.ppermute(own, "b", ring)
            total = total + own
        value, *slopes = total / size
        new = [p - lr * slope for p, slope in zip(params, slopes, strict=True)]
        return jax.tree.unflatten(jax.tree.structure(params), new), value

    sharded = jax.shard_map(
        part, mesh=mesh, in_specs=(P(), P("b"), P("b"), P()), out_specs=P(), check_vma=False
    )
    return jax.jit(sharded)


# %% varying_parameters
# The parameters are declared to vary, so their gradients are those of one device.
def dp_update_shard_map(mesh):
    @partial(jax.shard_map, mesh=mesh, in_specs=(P(), P("b"), P("b"), P()), out_specs=(P(), P()))
    def update(params, x, y, lr):
        own = jax.tree.map(lambda p: lax.pcast(p, "b", to="varying"), params)
        value, grads = jax.value_and_grad(lambda p: jnp.mean((p[0] * x + p[1] - y) ** 2))(own)
        value, grads = lax.pmean((value, grads), "b")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return jax.jit(update)
