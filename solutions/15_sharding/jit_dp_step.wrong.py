"""What learners get wrong in jit_dp_step; each cell is a suffix to the solution."""

import jax
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec


# %% plain_jit
# `jit` without shardings: right values, but one device does all the work.
# Do: Use `in_shardings` to tell `jit` that the batch is sharded over "data".
# Breaks: Returns 3
# At most half of the points.
# Fails: test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh):
    @jax.jit
    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return step


# %% average_by_hand
# `pmean` by hand: `jit` has no axis of that name. The compiler adds the sums.
# Do: Leave out `pmean`. Write the step for one device: the compiler adds the sums.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def jit_dp_step(loss_fn, mesh):
    whole, cut = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))

    def step(params, batch, lr):
        loss, grads = lax.pmean(jax.value_and_grad(loss_fn)(params, batch), "data")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return jax.jit(step, in_shardings=(whole, cut, whole), out_shardings=whole)


# %% average_of_parts
# Each device takes the loss of its part, and the losses are averaged.
# Do: Use `jit` and shardings in place of `shard_map`, and write the step for the whole batch.
# Breaks: Returns 5
# Fails: test_a_loss_that_needs_the_whole_batch, test_the_results_are_whole_on_every_device
def jit_dp_step(loss_fn, mesh):
    whole, cut = PartitionSpec(), PartitionSpec("data")

    def step(params, batch, lr):
        def average(params):
            return lax.pmean(loss_fn(params, batch), "data")

        loss, grads = jax.value_and_grad(average)(params)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    specs = (whole, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% everything_whole
# All arguments are whole on every device, so each device does all the work.
# Do: Give the batch a sharding of its own, which names "data".
# Breaks: Returns 3
# Fails: test_each_device_does_its_share_of_the_work
def jit_dp_step(loss_fn, mesh):
    whole = NamedSharding(mesh, PartitionSpec())

    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return jax.jit(step, in_shardings=whole, out_shardings=whole)


# %% cut_results
# The new parameters are sharded, so the next step has to gather them.
# Do: Leave the new parameters whole: a `PartitionSpec()` for each of them.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh):
    whole, cut = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))

    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        new = jax.tree.map(lambda p, g: p - lr * g, params, grads)
        return lax.with_sharding_constraint(new, cut), loss

    return jax.jit(step, in_shardings=(whole, cut, whole))


# %% results_where_the_compiler_likes
# The code doesn't say where the results are placed, so the compiler may leave them sharded.
# Do: Also give `jit` the `out_shardings`.
# Breaks: Returns 2
# Fails: test_the_results_are_whole_on_every_device
def jit_dp_step(loss_fn, mesh):
    def step(params, batch, lr):
        loss, slopes = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, s: p - lr * s, params, slopes), loss

    cut = NamedSharding(mesh, PartitionSpec("data"))
    return jax.jit(step, in_shardings=(None, cut, None))


# %% divided_again
# The gradient is divided by the number of devices, although it is already a mean.
# Do: Leave the gradient as it is: the loss already determines whether it is a mean.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)
    return lambda params, batch, lr: step(params, batch, lr / mesh.size)


# %% fixed_rate
# The rate is always 0.1, whatever `lr` is.
# Do: Use the argument `lr`.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)
    return lambda params, batch, lr: step(params, batch, 0.1)


# %% loss_after_the_step
# The loss is that of the new parameters.
# Do: Return the loss that belongs to the gradient. `jax.value_and_grad` gives both.
# Breaks: Returns 5
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)

    def later(params, batch, lr):
        params, _ = step(params, batch, lr)
        return params, loss_fn(params, batch)

    return later


# %% new_mesh
# A new mesh of all devices takes the place of the argument.
# Do: Use the given mesh.
# Breaks: Returns 3
# Fails: test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    auto = (jax.sharding.AxisType.Auto,)
    return solution(loss_fn, jax.make_mesh((jax.device_count(),), ("data",), axis_types=auto))


# %% static_rate
# The rate has to be a Python number.
# Do: Don't convert `lr`: under `jit` its value isn't known.
# Breaks: Returns 4
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)
    return lambda params, batch, lr: step(params, batch, float(lr))


# %% uphill
# The step increases the loss.
# Do: Subtract the gradient.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)
    return lambda params, batch, lr: step(params, batch, -lr)


# %% once missed
import jax.numpy as jnp


# %% cut_where_possible
# Parameters come back sharded, if the devices can share their first axis.
# Breaks: Returns 2
# Fails: test_the_results_are_whole_on_every_device
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step, parts = solution(loss_fn, mesh), mesh.shape["data"]

    def place(leaf):
        spec = PartitionSpec("data") if leaf.ndim and leaf.shape[0] % parts == 0 else None
        spec = spec or PartitionSpec()
        return lax.with_sharding_constraint(leaf, NamedSharding(mesh, spec))

    def cut(params, batch, lr):
        params, loss = step(params, batch, lr)
        return jax.tree.map(place, params), loss

    return jax.jit(cut)


# %% one_part
# The step uses the first device's part of the batch only.
# Breaks: Returns 5
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)

    def first(params, batch, lr):
        batch = jax.tree.map(lambda leaf: leaf[: len(leaf) // mesh.size], batch)
        batch = jax.tree.map(lambda leaf: jnp.concatenate([leaf] * mesh.size), batch)
        return step(params, batch, lr)

    return first


# %% first_devices
# A new mesh of as many devices takes the place of the argument: it has the first devices.
# Breaks: Returns 3
# Fails: test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    kinds, devices = (jax.sharding.AxisType.Auto,), jax.devices()[: mesh.size]
    mesh = jax.make_mesh((mesh.size,), ("data",), axis_types=kinds, devices=devices)
    return solution(loss_fn, mesh)


# %% plain_tuples
# All tuples of the parameters come back as plain tuples, and so does a namedtuple.
# Breaks: Details 1
# Fails: test_details
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)

    def plain(tree):
        if isinstance(tree, dict):
            return {name: plain(value) for name, value in tree.items()}
        if isinstance(tree, list | tuple):
            return (tuple if isinstance(tree, tuple) else list)(map(plain, tree))
        return tree

    def plain_step(params, batch, lr):
        params, loss = step(params, batch, lr)
        return plain(params), loss

    return plain_step


# %% loss_for_python
# The loss becomes a Python float, which a traced value doesn't have.
# Breaks: Returns 1
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets, test_details
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)

    def with_a_float(params, batch, lr):
        params, loss = step(params, batch, lr)
        return params, float(loss)

    return with_a_float


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "Step = Callable[[Any, Any, float | jax.Array], tuple[Any, jax.Array]] -> Step = Callable[[Any, Any, float | jax.Array], tuple[jax.Array, Any]]": "It stands in annotations only, which are never executed.",
    "return jax.jit(step, in_shardings=(whole, cut, whole), out_shardings=whole) -> return jax.jit(step, in_shardings=(whole, cut, whole))": "The compiler leaves a sum over all examples whole on every device, if nobody asks for anything else.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_half_precision of `params`": "The text asks for float32.",
    "argument_only_arrays of `params`": "The text asks for arrays.",
    "result_float32": "The parameters and the loss are float32.",
}
