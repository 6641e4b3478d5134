"""What learners get wrong in dp_update_shard_map; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec


# %% gradient_then_average
# Ported from `pmap`: gradient, then average. But the gradient is already a sum: eight times too
# long.
# Do: Put the average inside the function that you differentiate.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_three_steps_equal_three_on_all_the_data,
# test_each_device_gets_its_share, test_it_runs_on_the_mesh_that_it_gets
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = lax.pmean(jax.value_and_grad(error)(params, x, y), "b")
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% gradient_and_sum
# The gradients of the shards are summed and never divided.
# Do: Put the average inside the function that you differentiate.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_three_steps_equal_three_on_all_the_data,
# test_each_device_gets_its_share, test_it_runs_on_the_mesh_that_it_gets
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(error)(params, x, y)
    value = lax.pmean(value, "b")
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% unchecked_and_not_averaged
# `check_vma=False` hides the error: the first device's results are returned.
# Do: Leave `check_vma` on, and average the loss before you differentiate it.
# Breaks: Returns 2
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_three_steps_equal_three_on_all_the_data, test_each_device_gets_its_share,
# test_it_runs_on_the_mesh_that_it_gets
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(error)(params, x, y)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole, check_vma=False))


# %% unchecked_gradient_of_the_average
# With `check_vma=False`, the gradient of the average is each device's own.
# Do: Leave `check_vma` on: it makes the gradient of the average right.
# Breaks: Returns 2
# Fails: test_one_step_equals_a_step_on_all_the_data, test_three_steps_equal_three_on_all_the_data,
# test_each_device_gets_its_share, test_it_runs_on_the_mesh_that_it_gets
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole, check_vma=False))


# %% loss_of_one_shard
# The gradients are averaged, but the loss isn't: it is the first device's.
# Do: Also average the loss over the axis "b".
# Breaks: Returns 3
# Fails: test_the_loss_is_over_all_the_data
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(error)(params, x, y)
    grads = lax.pmean(grads, "b")
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole, check_vma=False))


# %% loss_after_step
# The loss is computed with the parameters after the step.
# Do: Take the loss and its gradient together, with the parameters before the step.
# Breaks: Returns 3
# Fails: test_the_loss_is_over_all_the_data
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    grads = jax.grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, lax.pmean(error(params, x, y), "b")


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% losses_of_all_shards
# One loss per device is returned.
# Do: Average the loss over "b". Then it is whole on every device, like the parameters.
# Breaks: Returns 3
# Fails: test_the_loss_is_over_all_the_data
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    grads = jax.grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    value = error(params, x, y)[None]
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=(whole, cut)))


# %% whole_data_everywhere
# Nothing is cut: the values are right, but every device does all the work.
# Do: In `in_specs`, cut x and y along "b".
# Breaks: Returns 4
# Fails: test_each_device_gets_its_share
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole = PartitionSpec()
    specs = (whole, whole, whole, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole, check_vma=False))


# %% cut_results
# The results are declared as cut along "b", which fails for scalars.
# Do: Scalars can't be cut: in `out_specs`, they are whole on every device.
# Breaks: Returns 1
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_three_steps_equal_three_on_all_the_data, test_each_device_gets_its_share,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=cut))


# %% own_mesh
# The argument is ignored, and a mesh of all devices is used.
# Do: Pass the mesh in the argument to `jax.shard_map`.
# Breaks: Returns 4
# Fails: test_it_runs_on_the_mesh_that_it_gets
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    auto = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((jax.device_count(),), ("b",), axis_types=auto)
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% explicit_mesh
# The argument is ignored, and the new mesh's axis is Explicit by default, which rejects plain
# arrays.
# Do: Pass the mesh in the argument to `jax.shard_map`.
# Breaks: Returns 1
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_three_steps_equal_three_on_all_the_data, test_each_device_gets_its_share,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    mesh = jax.make_mesh((jax.device_count(),), ("b",))
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% plain_tuple
# The parameters are returned as a plain tuple.
# Do: Build the new parameters with `jax.tree.map`, which keeps their type.
# Breaks: Details 1
# Fails: test_details
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    return (params[0] - lr * grads[0], params[1] - lr * grads[1]), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% once missed


# %% divides_by_eight
# `shard_map` sums the gradients; the sum is divided by eight, whatever the mesh.
# Breaks: Returns 2
# Fails: test_it_runs_on_the_mesh_that_it_gets
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(error)(params, x, y)
    value, grads = lax.pmean(value, "b"), jax.tree.map(lambda g: g / 8, grads)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% removed_function
# `jax.tree_multimap`, which the tutorial uses for this step, was removed from JAX.
# Breaks: Returns 1
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_three_steps_equal_three_on_all_the_data, test_each_device_gets_its_share,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    return jax.tree_multimap(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% tuple_of_floats
# Python floats become arrays in a plain tuple, so a namedtuple of floats is lost.
# Breaks: Details 1
# Fails: test_details
def dp_update_shard_map(mesh, solution=dp_update_shard_map):
    update = solution(mesh)

    def of_arrays(params, x, y, lr):
        if isinstance(params[0], float):
            params = tuple(jnp.float32(p) for p in params)
        return update(params, x, y, lr)

    return of_arrays


# %% first_rate
# The first call's rate stays in the function that is then compiled.
# Breaks: Returns 2
# Fails: test_three_steps_equal_three_on_all_the_data
def dp_update_shard_map(mesh):
    whole, cut = PartitionSpec(), PartitionSpec("b")
    compiled = []

    def update(params, x, y, lr):
        if not compiled:

            def part(params, x, y):
                return step(params, x, y, lr)

            specs = (whole, cut, cut)
            sharded = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=whole)
            compiled.append(jax.jit(sharded))
        return compiled[0](params, x, y)

    return update


# %% data_placed_once
# The data of the first call are placed on the devices, and all steps use them.
# Breaks: Returns 2
# Fails: test_three_steps_equal_three_on_all_the_data
def dp_update_shard_map(mesh, solution=dp_update_shard_map):
    update, placed = solution(mesh), []

    def on_first_data(params, x, y, lr):
        if not placed:
            cut = jax.sharding.NamedSharding(mesh, PartitionSpec("b"))
            placed.extend(jax.device_put((x, y), cut))
        return update(params, *placed, lr)

    return on_first_data


# %% first_devices
# A new mesh of as many devices replaces the argument: it has the first devices.
# Breaks: Returns 4
# Fails: test_it_runs_on_the_mesh_that_it_gets
def dp_update_shard_map(mesh, solution=dp_update_shard_map):
    kinds, devices = (jax.sharding.AxisType.Auto,), jax.devices()[: mesh.size]
    return solution(jax.make_mesh((mesh.size,), ("b",), axis_types=kinds, devices=devices))


# %% methods_of_arrays
# An array method is called on the parameters, but a Python float doesn't have it.
# Breaks: Details 2
# Fails: test_details
def dp_update_shard_map(mesh, solution=dp_update_shard_map):
    update = solution(mesh)

    def in_float32(params, x, y, lr):
        return update(jax.tree.map(lambda p: p.astype(jnp.float32), params), x, y, lr)

    return in_float32


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "Update = Callable[[Any, jax.Array, jax.Array, float], tuple[Any, jax.Array]] -> Update = Callable[[Any, jax.Array, jax.Array, float], tuple[jax.Array, Any]]": "It stands in annotations only, which are never executed.",
    "return lax.pmean(jnp.mean((weight * x + bias - y) ** 2), 'b') -> return lax.pmean(jnp.mean((y - (weight * x + bias)) ** 2), 'b')": "A square has no sign.",
    "return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole)) -> return jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole)": "The same step on the same devices, operation by operation; the caller may jit it.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
}
