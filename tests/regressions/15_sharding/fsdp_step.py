"""What the suite of fsdp_step once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% first_rate_kept
# The step of the first call is compiled with its learning rate, and used in all later calls.
# Fails: test_each_step_is_one_of_the_whole_batch
def fsdp_step(loss_fn, mesh, solution=fsdp_step):  # noqa: F821
    step, first = solution(loss_fn, mesh), []

    def run(params, velocity, batch, lr):
        first.append(lr)
        return step(params, velocity, batch, first[0])

    return run


# %% batch_of_floats
# The batch becomes float32, and floats can't be places of an array, such as the ids of tokens.
# Fails: test_details
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    def of_floats(params, batch):
        return loss_fn(params, jax.tree.map(lambda part: part.astype(jnp.float32), batch))

    return solution(of_floats, mesh)


# %% first_devices
# A mesh of the first devices is made, and the one that is given isn't used.
# Fails: test_meshes_of_any_size
def fsdp_step(loss_fn, mesh, solution=fsdp_step):
    devices = jax.devices()[: mesh.size]
    return solution(loss_fn, jax.sharding.Mesh(devices, ("data",)))


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_half_precision of `params`": "The text asks for float32.",
    "argument_no_half_precision of `velocity`": "The text asks for a tree like `params`.",
    "result_float32": "The parameters, the velocity and the loss are float32.",
}
