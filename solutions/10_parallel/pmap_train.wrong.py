"""What learners get wrong in pmap_train; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% no_average
# The gradients are never averaged: each replica learns from its own shard only.
# Do: Average the gradients over the axis of the devices before you use them.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_every_step_equals_a_step_on_all_the_data,
# test_each_loss_is_over_all_the_data, test_details
@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        value = lax.pmean(value, "devices")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)


# %% psum_of_gradients
# The gradients are summed over the devices: every step is eight times too long.
# Do: Take the mean of the gradients over the devices, not their sum.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_every_step_equals_a_step_on_all_the_data,
# test_each_loss_is_over_all_the_data, test_details
@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        value, grads = lax.pmean(value, "devices"), lax.psum(grads, "devices")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)


# %% average_at_the_end
# Each device trains alone, and the parameters are averaged at the end: right for only one step.
# Do: Average the gradients in every step, so that the replicas never differ.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_every_step_equals_a_step_on_all_the_data, test_each_loss_is_over_all_the_data,
# test_details
@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.pmean(lax.scan(step, params, length=steps), "devices")


# %% one_device
# One device does all the work: right values, but the other devices are idle.
# Do: Cut the data into as many shards as there are devices, and map over them.
# Breaks: Returns 3
# Fails: test_all_devices_take_part
def pmap_train(params, xs, ys, lr, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, xs, ys)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)


# %% loss_of_one_shard
# The gradients are averaged, but the loss isn't: it is the first shard's.
# Do: Also average the loss over the devices.
# Breaks: Returns 2
# Fails: test_the_first_loss_is_over_all_the_data, test_each_loss_is_over_all_the_data
@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        grads = lax.pmean(grads, "devices")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)


# %% loss_after_step
# Each loss is computed with the parameters after the step.
# Do: Take the loss and its gradient together, with the parameters before the step.
# Breaks: Returns 2
# Fails: test_the_first_loss_is_over_all_the_data, test_each_loss_is_over_all_the_data
@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    def step(params, _):
        grads = lax.pmean(jax.grad(loss)(params, x, y), "devices")
        params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
        return params, lax.pmean(loss(params, x, y), "devices")

    return lax.scan(step, params, length=steps)


# %% broadcast_loss
# [n, 1] minus [n] is [n, n]: every prediction is compared with every y, without an error.
# Do: Give prediction and y the same shape, [n, 1].
# Breaks: Returns 2
# Fails: test_the_first_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_every_step_equals_a_step_on_all_the_data, test_each_loss_is_over_all_the_data,
# test_all_devices_take_part
def loss(params, x, y):
    weight, bias = params
    return jnp.mean((weight * x + bias - y[:, 0]) ** 2)


# %% first_shard_only
# Every device gets the first shard, and the rest of the data is never used.
# Do: Reshape the data, so that each device gets its own shard.
# Breaks: Returns 2
# Fails: test_the_first_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_every_step_equals_a_step_on_all_the_data, test_each_loss_is_over_all_the_data,
# test_all_devices_take_part, test_details
def pmap_train(params, xs, ys, lr, steps):
    devices = jax.local_device_count()
    xs, ys = (jnp.stack([data[: len(data) // devices]] * devices) for data in (xs, ys))
    return jax.tree.map(lambda replica: replica[0], train(params, xs, ys, lr, steps))


# %% shards_of_eight
# The data are cut into shards of eight instead of eight shards: right values, but on seven devices.
# Do: The number of devices is the length of the first axis, and the rest follows.
# Breaks: Returns 3
# Fails: test_all_devices_take_part
def pmap_train(params, xs, ys, lr, steps):
    shape = (-1, jax.local_device_count(), 1)
    replicas = train(params, xs.reshape(shape), ys.reshape(shape), lr, steps)
    return jax.tree.map(lambda replica: replica[0], replicas)


# %% all_replicas
# All replicas are returned: the parameters have shape [8].
# Do: All replicas are equal at the end, so return the first one.
# Breaks: Returns 1
# Fails: test_one_step_equals_a_step_on_all_the_data, test_every_step_equals_a_step_on_all_the_data,
# test_details
def pmap_train(params, xs, ys, lr, steps):
    shape = (jax.local_device_count(), -1, 1)
    new, losses = train(params, xs.reshape(shape), ys.reshape(shape), lr, steps)
    return new, losses[0]


# %% plain_tuple
# The parameters are returned as a plain tuple.
# Do: Build the new parameters with `jax.tree.map`, which keeps their type.
# Breaks: Details 1
# Fails: test_details
def pmap_train(params, xs, ys, lr, steps):
    shape = (jax.local_device_count(), -1, 1)
    new, losses = train(tuple(params), xs.reshape(shape), ys.reshape(shape), lr, steps)
    return (new[0][0], new[1][0]), losses[0]


# %% rebuilt_from_a_pair
# The container is created with `type(params)(pair)`, but a namedtuple needs its fields one by one.
# Do: Train `params` itself: `jax.tree.map` keeps the container.
# Breaks: Details 1
# Fails: test_details
def pmap_train(params, xs, ys, lr, steps, solution=pmap_train):
    pair, losses = solution(tuple(params), xs, ys, lr, steps)
    return type(params)(pair), losses


# %% removed_function
# `jax.tree_map`, which old tutorials use, was removed from JAX.
# Do: It is now called `jax.tree.map`.
# Breaks: Returns 1
# Fails: test_the_first_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_every_step_equals_a_step_on_all_the_data, test_each_loss_is_over_all_the_data,
# test_all_devices_take_part, test_details
def pmap_train(params, xs, ys, lr, steps):
    shape = (jax.local_device_count(), -1, 1)
    replicas = train(params, xs.reshape(shape), ys.reshape(shape), lr, steps)
    return jax.tree_map(lambda replica: replica[0], replicas)


# %% examples_gathered
# The shards are gathered first, and each device works on all examples.
# Do: Leave the examples where they are, and average the gradients.
# Breaks: Returns 3
# Fails: test_all_devices_take_part
@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    x, y = lax.all_gather((x, y), "devices", tiled=True)

    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)


# %% once missed
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P


# %% cut_along_one_axis
# The mesh has two axes, and the data are cut along one: each example is used on two devices.
# Breaks: Returns 3
# Fails: test_all_devices_take_part
def pmap_train(params, xs, ys, lr, steps):
    columns = 2
    mesh = jax.make_mesh(
        (jax.device_count() // columns, columns), ("row", "column"), axis_types=(AxisType.Auto,) * 2
    )

    def train(params, x, y):
        def step(params, _):
            value, grads = jax.value_and_grad(loss)(params, x, y)
            value, grads = lax.pmean((value, grads), ("row", "column"))
            return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

        return lax.scan(step, params, length=steps)

    shards = {"in_specs": (P(), P("row"), P("row")), "out_specs": P(), "check_vma": False}
    return jax.jit(jax.shard_map(train, mesh=mesh, **shards))(params, xs, ys)


# %% mixed_up_shards
# xs are cut into blocks but ys are dealt out in turn, so x and y of different examples are paired.
# Breaks: Returns 2
# Fails: test_the_first_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_every_step_equals_a_step_on_all_the_data, test_each_loss_is_over_all_the_data
def pmap_train(params, xs, ys, lr, steps):
    devices = jax.local_device_count()
    xs = xs.reshape(devices, -1, 1)
    ys = ys.reshape(-1, devices, 1).swapaxes(0, 1)
    return jax.tree.map(lambda replica: replica[0], train(params, xs, ys, lr, steps))


# %% fields_by_name
# A namedtuple is rebuilt by field names that the text doesn't promise.
# Breaks: Details 1
# Fails: test_details
def pmap_train(params, xs, ys, lr, steps, fit=pmap_train):
    (weight, bias), losses = fit(tuple(params), xs, ys, lr, steps)
    if isinstance(params, tuple) and hasattr(params, "_replace"):
        return params._replace(weight=weight, bias=bias), losses
    return (weight, bias), losses


# %% losses_for_python
# Each loss becomes a Python float, which a traced value doesn't have.
# Do: Leave the losses as arrays, and stack them with `jnp`.
# Breaks: Details 2
# Fails: test_the_first_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_every_step_equals_a_step_on_all_the_data, test_each_loss_is_over_all_the_data,
# test_all_devices_take_part, test_details
def pmap_train(params, xs, ys, lr, steps, solution=pmap_train):
    losses = []
    for _ in range(steps):
        params, loss = solution(params, xs, ys, lr, 1)
        losses.append(float(loss[0]))
    return params, jnp.array(losses)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_never_empty": "Each device has an example at least.",
    "argument_only_arrays of `params`": "The text asks for arrays.",
    "argument_only_numbers of `lr`": "The text asks for a Python float.",
    "argument_without_gradient": "The text asks for no derivative of the training.",
    "argument_nan_gradient_at_zero": "The text asks for no derivative of the training.",
    "unrolled": "The text promises nothing about the size of the program.",
}
