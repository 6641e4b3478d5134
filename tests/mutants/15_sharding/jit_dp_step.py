"""Wrong answers to jit_dp_step; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec


# %% average_by_hand
# `pmean` by hand: `jit` has no axis of that name. The compiler adds the sums.
# At most half of the points.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh):
    whole, cut = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))

    def step(params, batch, lr):
        loss, grads = lax.pmean(jax.value_and_grad(loss_fn)(params, batch), "data")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return jax.jit(step, in_shardings=(whole, cut, whole), out_shardings=whole)


# %% average_of_parts
# Each device takes the loss of its part, and the losses are averaged.
# Fails: test_a_loss_that_needs_the_whole_batch, test_each_device_does_its_share_of_the_work,
# test_the_results_are_whole_on_every_device, test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh):
    whole, cut = PartitionSpec(), PartitionSpec("data")

    def step(params, batch, lr):
        def average(params):
            return lax.pmean(loss_fn(params, batch), "data")

        loss, grads = jax.value_and_grad(average)(params)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    specs = (whole, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))


# %% cut_results
# The new parameters are cut, so the next step has to gather them.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh):
    whole, cut = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))

    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return jax.jit(step, in_shardings=(whole, cut, whole), out_shardings=(cut, whole))


# %% cut_where_possible
# Parameters come back cut, if the devices can share their first axis.
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


# %% divided_again
# The gradient is divided by the number of devices, though it is a mean already.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)
    return lambda params, batch, lr: step(params, batch, lr / mesh.size)


# %% everything_whole
# All arguments are whole on every device, so each device does all the work.
# Fails: test_each_device_does_its_share_of_the_work
def jit_dp_step(loss_fn, mesh):
    whole = NamedSharding(mesh, PartitionSpec())

    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return jax.jit(step, in_shardings=whole, out_shardings=whole)


# %% fixed_rate
# The rate is 0.1, whatever the argument says.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)
    return lambda params, batch, lr: step(params, batch, 0.1)


# %% loss_after_the_step
# The loss is that of the new parameters.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)

    def later(params, batch, lr):
        params, _ = step(params, batch, lr)
        return params, loss_fn(params, batch)

    return later


# %% new_mesh
# A new mesh of all devices takes the place of the argument.
# Fails: test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    auto = (jax.sharding.AxisType.Auto,)
    return solution(loss_fn, jax.make_mesh((jax.device_count(),), ("data",), axis_types=auto))


# %% one_part
# The step uses the first device's part of the batch only.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)

    def first(params, batch, lr):
        batch = jax.tree.map(lambda leaf: leaf[: len(leaf) // mesh.size], batch)
        batch = jax.tree.map(lambda leaf: jnp.concatenate([leaf] * mesh.size), batch)
        return step(params, batch, lr)

    return first


# %% plain_jit
# `jit` without shardings: right values, but one device does all the work.
# At most half of the points.
# Fails: test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh):
    @jax.jit
    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return step


# %% static_rate
# The rate has to be a Python number.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)
    return lambda params, batch, lr: step(params, batch, float(lr))


# %% uphill
# The step goes up.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_each_device_does_its_share_of_the_work, test_the_results_are_whole_on_every_device,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step = solution(loss_fn, mesh)
    return lambda params, batch, lr: step(params, batch, -lr)


# %% first_rate
# The rate of the first call stays in the function that is compiled then.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh):
    whole, cut = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))
    compiled = []

    def step(params, batch, lr):
        if not compiled:

            def update(params, batch):
                loss, grads = jax.value_and_grad(loss_fn)(params, batch)
                return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

            compiled.append(jax.jit(update, in_shardings=(whole, cut), out_shardings=whole))
        return compiled[0](params, batch)

    return step


# %% batch_placed_once
# The batch of the first call is placed on the devices, and all steps use it.
# Fails: test_each_step_is_one_of_the_whole_batch, test_a_loss_that_needs_the_whole_batch,
# test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    step, cut = solution(loss_fn, mesh), NamedSharding(mesh, PartitionSpec("data"))
    placed = []

    def on_first_batch(params, batch, lr):
        if not placed:
            placed.append(jax.device_put(batch, cut))
        return step(params, placed[0], lr)

    return on_first_batch


# %% first_devices
# A new mesh of as many devices takes the place of the argument: it has the first devices.
# Fails: test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    kinds, devices = (jax.sharding.AxisType.Auto,), jax.devices()[: mesh.size]
    mesh = jax.make_mesh((mesh.size,), ("data",), axis_types=kinds, devices=devices)
    return solution(loss_fn, mesh)


# %% plain_tuples
# All tuples of the parameters come back as plain tuples, and so does a namedtuple.
# Fails: test_the_results_are_whole_on_every_device
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


# %% results_where_the_compiler_likes
# Nobody says where the results lie, so the compiler may leave them cut.
# Fails: test_the_results_are_whole_on_every_device
def jit_dp_step(loss_fn, mesh):
    def step(params, batch, lr):
        loss, slopes = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, s: p - lr * s, params, slopes), loss

    cut = NamedSharding(mesh, PartitionSpec("data"))
    return jax.jit(step, in_shardings=(None, cut, None))
