"""What the suite of pmap_train once missed; each cell is a suffix to the solution.

Not noticed any more: cleaned_xs, since the text says nothing of NaN.
"""

import jax
from jax import lax
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P


# %% cut_along_one_axis
# The mesh has two axes, and the data are cut along one: each example is used on two devices.
# Fails: test_all_devices_take_part
def pmap_train(params, xs, ys, lr, steps):
    columns = 2
    mesh = jax.make_mesh(
        (jax.device_count() // columns, columns), ("row", "column"), axis_types=(AxisType.Auto,) * 2
    )

    def train(params, x, y):
        def step(params, _):
            value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
            value, grads = lax.pmean((value, grads), ("row", "column"))
            return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

        return lax.scan(step, params, length=steps)

    shards = {"in_specs": (P(), P("row"), P("row")), "out_specs": P(), "check_vma": False}
    return jax.jit(jax.shard_map(train, mesh=mesh, **shards))(params, xs, ys)


# %% mixed_up_shards
# xs are cut into blocks and ys are dealt out in turn, so x and y of different examples meet.
# Fails: test_the_first_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_every_step_equals_a_step_on_all_the_data, test_each_loss_is_over_all_the_data
def pmap_train(params, xs, ys, lr, steps):
    devices = jax.local_device_count()
    xs = xs.reshape(devices, -1, 1)
    ys = ys.reshape(-1, devices, 1).swapaxes(0, 1)
    return jax.tree.map(lambda replica: replica[0], train(params, xs, ys, lr, steps))  # noqa: F821


# %% fields_by_name
# A namedtuple is rebuilt by field names that the text doesn't promise.
# Fails: test_details
def pmap_train(params, xs, ys, lr, steps, fit=pmap_train):
    (weight, bias), losses = fit(tuple(params), xs, ys, lr, steps)
    if isinstance(params, tuple) and hasattr(params, "_replace"):
        return params._replace(weight=weight, bias=bias), losses
    return (weight, bias), losses


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
