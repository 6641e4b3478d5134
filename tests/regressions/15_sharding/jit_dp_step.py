"""What the suite of jit_dp_step once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec


# %% cut_where_possible
# Parameters come back cut, if the devices can share their first axis.
# Fails: test_the_results_are_whole_on_every_device
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):  # noqa: F821
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
# Fails: test_it_runs_on_the_mesh_that_it_gets
def jit_dp_step(loss_fn, mesh, solution=jit_dp_step):
    kinds, devices = (jax.sharding.AxisType.Auto,), jax.devices()[: mesh.size]
    mesh = jax.make_mesh((mesh.size,), ("data",), axis_types=kinds, devices=devices)
    return solution(loss_fn, mesh)


# %% plain_tuples
# All tuples of the parameters come back as plain tuples, and so does a namedtuple.
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
