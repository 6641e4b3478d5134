"""Other right answers to pmap_train; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec


# %% interleaved_shards
# Examples are dealt out in turn, and sums over the devices are divided by N.
def pmap_train(params, xs, ys, lr, steps):
    def total_error(params, x, y):
        return jnp.sum((params[0] * x + params[1] - y) ** 2)

    def update(params, x, y):
        def step(_, state):
            params, losses = state
            value, grads = jax.value_and_grad(total_error)(params, x, y)
            value, grads = jax.tree.map(lambda part: lax.psum(part, "d") / len(xs), (value, grads))
            params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
            return params, jnp.append(losses[1:], value)

        return lax.fori_loop(0, steps, step, (params, jnp.zeros(steps)))

    devices = jax.local_device_count()
    shards = [jnp.stack([data[d::devices] for d in range(devices)]) for data in (xs, ys)]
    trained = jax.pmap(update, axis_name="d", in_axes=(None, 0, 0))(params, *shards)
    return jax.tree.map(lambda replica: replica[-1], trained)


# %% named_sharding
# `jit` on data placed over all devices: the compiler does the averaging.
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


# %% shard_map
# `shard_map` over a mesh: there the gradient of an averaged loss is the averaged gradient.
def pmap_train(params, xs, ys, lr, steps):
    mesh = jax.make_mesh((jax.device_count(),), ("batch",), axis_types=(AxisType.Auto,))

    def train(params, x, y):
        def mean_error(params):
            return lax.pmean(jnp.mean((params[0] * x + params[1] - y) ** 2), "batch")

        def step(params, _):
            value, grads = jax.value_and_grad(mean_error)(params)
            return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

        return lax.scan(step, params, length=steps)

    everywhere, split = PartitionSpec(), PartitionSpec("batch")
    sharded = jax.shard_map(
        train, mesh=mesh, in_specs=(everywhere, split, split), out_specs=everywhere
    )
    return jax.jit(sharded)(params, xs, ys)


# %% step_by_step
# A pmapped step in a Python loop, on replicated parameters, that waits for each step.
@partial(jax.pmap, axis_name="batch")
def update(params, x, y, lr):
    def error(params):
        return jnp.mean(jnp.square(params[0] * x + params[1] - y))

    value, grads = jax.value_and_grad(error)(params)
    grads = lax.pmean(grads, axis_name="batch")
    value = lax.pmean(value, axis_name="batch")
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def pmap_train(params, xs, ys, lr, steps):
    devices = jax.local_device_count()
    params, rate = jax.tree.map(lambda p: jnp.stack([p] * devices), (params, jnp.float32(lr)))
    xs, ys = (jnp.stack(jnp.split(data, devices)) for data in (xs, ys))
    losses = []
    for _ in range(steps):
        params, value = jax.block_until_ready(update(params, xs, ys, rate))
        losses.append(value[0])
    return jax.tree.map(lambda p: p[0], params), jnp.array(losses)
