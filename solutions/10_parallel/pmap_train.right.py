"""Other right answers to pmap_train; a cell is a suffix to the solution, which defines `loss`."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from jax.sharding import PartitionSpec as P


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


# %% gathered_in_class
# A trainer object; every device gathers the gradients of all and averages them itself.
class Trainer:
    def __init__(self, lr, devices):
        self.lr, self.devices = lr, devices

    def shards(self, data):
        return data.reshape(self.devices, -1, *data.shape[1:])

    def error(self, params, x, y):
        return jnp.square(params[0] * x + params[1] - y).mean()

    def step(self, params, _, *, x, y):
        parts = jax.value_and_grad(self.error)(params, x, y)
        value, grads = jax.tree.map(lambda part: lax.all_gather(part, "all").mean(0), parts)
        return jax.tree.map(lambda p, g: p - self.lr * g, params, grads), value

    def fit(self, params, xs, ys, steps):
        @partial(jax.pmap, axis_name="all", in_axes=(None, 0, 0), out_axes=None)
        def run(params, x, y):
            return lax.scan(partial(self.step, x=x, y=y), params, None, length=steps)

        return run(params, self.shards(xs), self.shards(ys))


def pmap_train(params, xs, ys, lr, steps):
    return Trainer(lr, jax.device_count()).fit(params, xs, ys, steps)


# %% spmd_axis_name
# A model of one shard under `vmap`, whose mapped axis is laid over the devices.
def pmap_train(params, xs, ys, lr, steps):
    devices = jax.devices()
    mesh = jax.make_mesh((len(devices),), ("d",), axis_types=(AxisType.Auto,))
    by_device = NamedSharding(mesh, P("d"))

    def shard_step(params, x, y):
        value, grads = jax.value_and_grad(
            lambda p: jnp.mean((p[0] * x + p[1] - y) ** 2),
        )(params)
        return lax.pmean((value, grads), "replica")

    everywhere = jax.vmap(
        shard_step, in_axes=(None, 0, 0), out_axes=None, axis_name="replica", spmd_axis_name="d"
    )

    @jax.jit
    def train(params, xs, ys):
        xs, ys = lax.with_sharding_constraint((xs, ys), by_device)

        def step(params, _):
            value, grads = everywhere(params, xs, ys)
            return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

        return lax.scan(step, params, length=steps)

    return train(params, *(data.reshape(len(devices), -1, 1) for data in (xs, ys)))


# %% two_axes
# A mesh of two axes, and averages over both.
def pmap_train(params, xs, ys, lr, steps):
    devices = jax.device_count()
    columns = 2 if devices % 2 == 0 else 1
    mesh = jax.make_mesh(
        (devices // columns, columns), ("row", "column"), axis_types=(AxisType.Auto,) * 2
    )

    def train(params, x, y):
        def step(params, _):
            value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
            value, grads = lax.pmean((value, grads), ("row", "column"))
            return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

        return lax.scan(step, params, length=steps)

    cut = P(("row", "column"))
    return jax.jit(
        jax.shard_map(train, mesh=mesh, in_specs=(P(), cut, cut), out_specs=P(), check_vma=False)
    )(params, xs, ys)


# %% named_examples
# Examples are mapped inside each device, and averages are over both names.
def pmap_train(params, xs, ys, lr, steps):
    @partial(jax.pmap, axis_name="device", in_axes=(None, 0, 0))
    def train(params, x, y):
        def step(params, _):
            @partial(jax.vmap, axis_name="example", out_axes=None)
            def mean_grads(x, y):
                parts = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
                return lax.pmean(parts, ("device", "example"))

            value, grads = mean_grads(x, y)
            return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

        return lax.scan(step, params, length=steps)

    shape = (jax.device_count(), -1, 1)
    out = train(params, xs.reshape(shape), ys.reshape(shape))
    return jax.tree.map(lambda leaf: leaf[0], out)


# %% scattered
# Gradients are summed and scattered, and then gathered, as in big trainings.
def pmap_train(params, xs, ys, lr, steps):
    devices = jax.device_count()

    @partial(jax.pmap, axis_name="d", in_axes=(None, 0, 0))
    def train(params, x, y):
        def step(params, _):
            value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
            flat = jnp.zeros(3 * devices).at[:3].set(jnp.stack([value, *grads]))
            piece = lax.psum_scatter(flat, "d", tiled=True) / devices
            value, *slopes = lax.all_gather(piece, "d", tiled=True)[:3]
            leaves, treedef = jax.tree.flatten(params)
            return treedef.unflatten(
                [p - lr * g for p, g in zip(leaves, slopes, strict=True)]
            ), value

        return lax.scan(step, params, length=steps)

    shape = (devices, -1, 1)
    out = train(params, xs.reshape(shape), ys.reshape(shape))
    return jax.tree.map(lambda leaf: leaf[0], out)


# %% all_to_all
# Every device sends its part to every other.
def pmap_train(params, xs, ys, lr, steps):
    devices = jax.device_count()

    @partial(jax.pmap, axis_name="d", in_axes=(None, 0, 0), out_axes=None)
    def train(params, x, y):
        def step(params, _):
            value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
            copies = jnp.tile(jnp.stack([value, *grads]), (devices, 1))
            value, *slopes = lax.all_to_all(copies, "d", 0, 0).mean(axis=0)
            leaves, treedef = jax.tree.flatten(params)
            return treedef.unflatten(
                [p - lr * g for p, g in zip(leaves, slopes, strict=True)]
            ), value

        return lax.scan(step, params, length=steps)

    shape = (devices, -1, 1)
    return train(params, xs.reshape(shape), ys.reshape(shape))


# %% accumulated_gradients
# Four parts of the examples, one after another; the compiler cuts each part among the devices.
def pmap_train(params, xs, ys, lr, steps):
    devices = jax.device_count()
    mesh = jax.make_mesh((devices,), ("batch",), axis_types=(AxisType.Auto,))
    parts = 4 if len(xs) % (4 * devices) == 0 else 1
    cut = NamedSharding(mesh, PartitionSpec(None, "batch"))
    data = [jax.device_put(a.reshape(parts, -1, 1), cut) for a in (xs, ys)]

    def step(params, _):
        def add(total, part):
            found = jax.value_and_grad(loss)(params, *part)  # noqa: F821
            return jax.tree.map(lambda t, f: t + f / parts, total, found), None

        nothing = jax.tree.map(jnp.zeros_like, (params[0], params))
        (value, grads), _ = lax.scan(add, nothing, data)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)
