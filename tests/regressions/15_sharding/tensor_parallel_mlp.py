"""What the suite of tensor_parallel_mlp once missed; each cell is a suffix to the solution.

Not noticed any more: a mesh of the same sizes with other devices, since the values are the same.
"""

import jax
from jax.sharding import PartitionSpec as P

# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
}


# %% nothing_cut_without_model
# If "model" has one device, the examples aren't cut either.
# Fails: test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh, solution=tensor_parallel_mlp):  # noqa: F821
    if mesh.shape["model"] > 1:
        return solution(params, x, mesh)

    def network(params, x):
        return jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]

    return jax.shard_map(network, mesh=mesh, in_specs=P(), out_specs=P())(params, x)
