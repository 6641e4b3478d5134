"""What learners get wrong in fsdp_step; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P


def gather(rows):
    return lax.all_gather(rows, "data", tiled=True)


def scatter(gradient):
    return lax.psum_scatter(gradient, "data", tiled=True) / lax.axis_size("data")


def own_rows(whole):
    """This device's rows of an array."""
    count = len(whole) // lax.axis_size("data")
    return lax.dynamic_slice_in_dim(whole, lax.axis_index("data") * count, count)


CUT = P("data")


def mapped(part, mesh, state, batch=CUT):
    specs = state, state, batch, P()
    return jax.shard_map(
        part, mesh=mesh, in_specs=specs, out_specs=(state, state, P()), check_vma=False
    )


# %% summed_everywhere
# `psum` computes the whole sum on every device, and each device takes its own rows.
# Do: Use `jax.lax.psum_scatter`: it adds up, and gives each device its own rows.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_gradients_are_scattered, test_meshes_of_any_size
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        whole = jax.tree.map(gather, params)
        loss, grads = jax.value_and_grad(loss_fn)(whole, batch)
        grads = jax.tree.map(lambda g: own_rows(lax.pmean(g, "data")), grads)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, velocity, lax.pmean(loss, "data")

    return mapped(part, mesh, P("data"))


# %% whole_parameters
# Plain data parallelism: every device holds all parameters and the whole velocity.
# Do: Shard parameters and velocity over "data", and gather the parameters in the step.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_gradients_are_scattered, test_each_device_keeps_its_own_rows, test_meshes_of_any_size
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        grads = lax.pmean(grads, "data")
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, velocity, lax.pmean(loss, "data")

    return mapped(part, mesh, P())


# %% sum_of_gradients
# The gradients are added up instead of averaged, so the step is eight times too long.
# Do: Divide by the number of devices: the loss is a mean over the examples.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_step_is_one_of_the_whole_batch, test_gradients_are_scattered,
# test_each_device_keeps_its_own_rows, test_each_device_does_its_share, test_meshes_of_any_size,
# test_details
def scatter(gradient):
    return lax.psum_scatter(gradient, "data", tiled=True)


# %% gathered_at_the_end
# The new parameters are gathered, so that every device holds all of them again.
# Do: Return the device's own rows. The next step gathers them again.
# Breaks: Returns 3
# Fails: test_gradients_are_scattered, test_each_device_keeps_its_own_rows
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + scatter(g), velocity, grads)
        params = jax.tree.map(lambda p, v: gather(own_rows(p) - lr * v), params, velocity)
        return params, velocity, lax.pmean(loss, "data")

    cut = P("data")
    return jax.shard_map(
        part,
        mesh=mesh,
        in_specs=(P(), cut, cut, P()),
        out_specs=(P(), cut, P()),
        check_vma=False,
    )


# %% whole_update
# Gradients and velocity are gathered, and every device updates all rows.
# Do: Update after the scatter, when each device has its own rows of everything.
# Breaks: Returns 4
# Fails: test_gradients_are_scattered
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        whole = jax.tree.map(gather, params)
        loss, grads = jax.value_and_grad(loss_fn)(whole, batch)
        grads = jax.tree.map(lambda g: gather(scatter(g)), grads)
        moved = jax.tree.map(lambda v, g: 0.9 * gather(v) + g, velocity, grads)
        params = jax.tree.map(lambda p, v: own_rows(p - lr * v), whole, moved)
        return params, jax.tree.map(own_rows, moved), lax.pmean(loss, "data")

    return mapped(part, mesh, P("data"))


# %% whole_batch
# The batch isn't sharded, so every device uses all examples.
# Do: Also shard the batch over "data".
# Breaks: Details 3
# Fails: test_gradients_are_scattered, test_each_device_does_its_share
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(jax.tree.map(gather, params), batch)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + scatter(g), velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, velocity, lax.pmean(loss, "data")

    return mapped(part, mesh, P("data"), P())


# %% own_gradient_only
# Each device takes its own rows of its own gradient, without a sum over devices.
# Do: Add up the gradients of all devices, since each has seen other examples.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_the_whole_batch, test_gradients_are_scattered,
# test_each_device_keeps_its_own_rows, test_each_device_does_its_share, test_meshes_of_any_size,
# test_details
def scatter(gradient):
    return own_rows(gradient)


def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(jax.tree.map(gather, params), batch)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + scatter(g), velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, velocity, lax.pmean(loss, "data")

    return mapped(part, mesh, P("data"))


# %% eight_devices
# The gradients are divided by eight on any mesh.
# Do: Use the number of devices: `jax.lax.axis_size("data")`.
# Breaks: Returns 2
# Fails: test_meshes_of_any_size
def scatter(gradient):
    return lax.psum_scatter(gradient, "data", tiled=True) / 8


# %% loss_of_one_device
# The loss is that of the first device.
# Do: Take the mean of the devices' losses, by `jax.lax.pmean`.
# Breaks: Details 2
# Fails: test_each_step_is_one_of_the_whole_batch, test_gradients_are_scattered,
# test_each_device_keeps_its_own_rows, test_each_device_does_its_share, test_meshes_of_any_size,
# test_details
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(jax.tree.map(gather, params), batch)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + scatter(g), velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, velocity, loss

    return mapped(part, mesh, P("data"))


# %% no_velocity
# The velocity is the gradient alone, so earlier steps are forgotten.
# Do: Start from 0.9 times the given velocity.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_the_whole_batch, test_gradients_are_scattered,
# test_each_device_keeps_its_own_rows, test_each_device_does_its_share, test_meshes_of_any_size,
# test_details
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    step = solution(loss_fn, mesh)

    def run(params, velocity, batch, lr):
        return step(params, jax.tree.map(jnp.zeros_like, velocity), batch, lr)

    return run


# %% old_velocity
# The parameters move by the velocity from before the step.
# Do: Move the parameters by the new velocity.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_the_whole_batch, test_gradients_are_scattered,
# test_each_device_keeps_its_own_rows, test_each_device_does_its_share, test_meshes_of_any_size,
# test_details
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    step = solution(loss_fn, mesh)

    def run(params, velocity, batch, lr):
        _, new, loss = step(params, velocity, batch, lr)
        return jax.tree.map(lambda p, v: p - lr * v, params, velocity), new, loss

    return run


# %% one_dict
# The code assumes that the trees are flat dicts.
# Do: Use `jax.tree.map`, which accepts any tree.
# Breaks: Details 4
# Fails: test_details
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    step = solution(loss_fn, mesh)

    def run(params, velocity, batch, lr):
        return step(dict(params.items()), dict(velocity.items()), dict(batch.items()), lr)

    return run


# %% batch_gathered
# Parameters and examples are gathered, and each device takes the gradient of the whole batch.
# Do: Leave the examples where they are, and scatter the gradients of the devices.
# Breaks: Details 3
# Fails: test_gradients_are_scattered, test_each_device_does_its_share
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        n, me = lax.axis_size("data"), lax.axis_index("data")
        leaves, tree = jax.tree.flatten((params, batch))
        rows = lax.all_gather(jnp.concatenate([a.ravel().astype(float) for a in leaves]), "data")
        ends = np.cumsum([leaf.size for leaf in leaves])
        pieces = jnp.split(rows, ends[:-1], axis=1)
        whole = [
            p.reshape(-1, *a.shape[1:]).astype(a.dtype) for p, a in zip(pieces, leaves, strict=True)
        ]
        loss, grads = jax.value_and_grad(loss_fn)(*jax.tree.unflatten(tree, whole))
        zero = lax.psum_scatter(jnp.full(n, 0.0 * me), "data")
        velocity = jax.tree.map(lambda v, g: 0.9 * v + own_rows(g) + zero, velocity, grads)
        return jax.tree.map(lambda p, v: p - lr * v, params, velocity), velocity, loss

    cut = P("data")
    specs = {"in_specs": (cut, cut, cut, P()), "out_specs": (cut, cut, P()), "check_vma": False}
    return jax.jit(jax.shard_map(part, mesh=mesh, **specs))


# %% once missed


# %% first_rate_kept
# The step of the first call is compiled with its learning rate, and used in all later calls.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_the_whole_batch
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    step, first = solution(loss_fn, mesh), []

    def run(params, velocity, batch, lr):
        first.append(lr)
        return step(params, velocity, batch, first[0])

    return run


# %% batch_of_floats
# The batch becomes float32, and floats, such as converted token ids, can't be indices.
# Breaks: Details 4
# Fails: test_details
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    def of_floats(params, batch):
        return loss_fn(params, jax.tree.map(lambda part: part.astype(jnp.float32), batch))

    return solution(of_floats, mesh)


# %% first_devices
# The code makes a mesh of the first devices instead of using the given one.
# Breaks: Returns 3
# Fails: test_meshes_of_any_size
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    devices = jax.devices()[: mesh.size]
    return solution(loss_fn, jax.sharding.Mesh(devices, ("data",)))


# %% loss_for_python
# The loss becomes a Python float, which a traced value doesn't have.
# Breaks: Returns 1
# Fails: test_each_step_is_one_of_the_whole_batch, test_gradients_are_scattered,
# test_each_device_keeps_its_own_rows, test_each_device_does_its_share, test_meshes_of_any_size,
# test_details
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    step = solution(loss_fn, mesh)

    def with_a_float(*args):
        params, velocity, loss = step(*args)
        return params, velocity, float(loss)

    return with_a_float


# %% static_rate
# The rate is a static argument, so it can't be an array.
# Breaks: Details 1
# Fails: test_each_step_is_one_of_the_whole_batch, test_gradients_are_scattered,
# test_each_device_keeps_its_own_rows, test_each_device_does_its_share, test_meshes_of_any_size
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    return jax.jit(solution(loss_fn, mesh), static_argnums=3)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_half_precision of `params`": "The text asks for float32.",
    "argument_no_half_precision of `velocity`": "The text asks for a tree like `params`.",
    "result_float32": "The parameters, the velocity and the loss are float32.",
}
