"""What learners get wrong in tensor_parallel_mlp; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


# %% bias_in_the_sum
# b2 is inside the sum, so it is added once for each device.
# Do: Add b2 after the sum.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network, test_details
def part(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return lax.psum(hidden @ params["w2"] + params["b2"], "model")


# %% both_by_columns
# Both matrices are sharded by columns, so the hidden layer is sent around.
# Do: Shard w2 by its rows, which belong to the columns of w1.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used
def tensor_parallel_mlp(params, x, mesh):
    def place(value, *spec):
        return lax.with_sharding_constraint(value, NamedSharding(mesh, P(*spec)))

    hidden = jax.nn.relu(x @ place(params["w1"], None, "model") + params["b1"])
    hidden = place(hidden, "data", "model")
    out = place(hidden, "data", None) @ params["w2"] + params["b2"]
    return place(out, "data", None)


# %% everything_everywhere
# Only the examples are sharded: each device has whole matrices.
# Do: Shard w1, b1 and w2 over "model", and add up the terms.
# Breaks: Returns 2
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used,
# test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh):
    def network(params, x):
        return jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]

    data = P("data")
    return jax.shard_map(network, mesh=mesh, in_specs=(P(), data), out_specs=data)(params, x)


# %% whole_work_averaged
# Each device does all the work for its examples, and an average of equal outputs is taken.
# Do: Shard w1, b1 and w2 over "model". Then each device has a term, and `psum` adds the terms.
# Breaks: Returns 2
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used,
# test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh):
    def network(params, x):
        out = jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]
        return lax.pmean(out, "model")

    specs = P(), P("data")
    return jax.shard_map(network, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)(
        params, x
    )


# %% no_sum
# `check_vma=False` hides the missing sum: the output is one device's term.
# Do: Add up the terms of all devices, by `jax.lax.psum` over "model".
# Breaks: Returns 1
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network, test_details
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        return jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]

    cut = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    specs = cut, P("data")
    network = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)
    return network(params, x)


# %% average
# `pmean` instead of `psum`: the terms are divided by the number of devices.
# Do: Use `psum`. The output is a sum of terms.
# Breaks: Returns 1
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network, test_details
def part(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return lax.pmean(hidden @ params["w2"], "model") + params["b2"]


# %% both_sums
# The sum is over both axes, so it mixes up examples.
# Do: Take the sum over "model" alone. Devices along "data" have other examples.
# Breaks: Returns 1
# Fails: test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network, test_details
def part(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return lax.psum(hidden @ params["w2"], ("model", "data")) + params["b2"]


# %% gathered_at_the_end
# The terms of all devices are gathered, and then added on each device.
# Do: Add up the terms by `psum`, which is one exchange.
# Breaks: Returns 3
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        terms = lax.all_gather(hidden @ params["w2"], "model")
        return terms.sum(axis=0) + params["b2"]

    cut = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    specs = cut, P("data")
    network = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)
    return network(params, x)


# %% two_sums
# The hidden layer is put together by a sum before the second product.
# Do: Multiply your own columns of the hidden layer by your own rows of w2.
# Breaks: Returns 3
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        own = jax.nn.relu(x @ params["w1"] + params["b1"])
        start = lax.axis_index("model") * own.shape[1]
        shape = own.shape[0], own.shape[1] * lax.axis_size("model")
        hidden = lax.dynamic_update_slice(jnp.zeros(shape, own.dtype), own, (0, start))
        hidden = lax.psum(hidden, "model")
        own = lax.dynamic_slice(hidden, (0, start), own.shape)
        return lax.psum(own @ params["w2"], "model") + params["b2"]

    cut = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    specs = cut, P("data")
    network = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)
    return network(params, x)


# %% relu_of_each_term
# b1 is added after the relu, with a separate relu.
# Do: Add b1 before the relu, as the formula says.
# Breaks: Returns 1
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network, test_details
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        hidden = jax.nn.relu(x @ params["w1"]) + jax.nn.relu(params["b1"])
        return lax.psum(hidden @ params["w2"], "model") + params["b2"]

    cut = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    specs = cut, P("data")
    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"))(params, x)


# %% data_is_the_first_axis
# The code assumes that the first axis of the mesh is "data" and the second is "model".
# Do: Use the two names. The axes may come in any order.
# Breaks: Returns 2
# Fails: test_both_axes_of_the_mesh_are_used
def tensor_parallel_mlp(params, x, mesh, solution=tensor_parallel_mlp):
    data, model = mesh.axis_names

    def part(params, x):
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return lax.psum(hidden @ params["w2"], model) + params["b2"]

    cut = {"w1": P(None, model), "b1": P(model), "w2": P(model), "b2": P()}
    return jax.shard_map(part, mesh=mesh, in_specs=(cut, P(data)), out_specs=P(data))(params, x)


# %% first_axis_is_model
# The axes of the mesh are selected by position.
# Do: Select the axes of the mesh by name.
# Breaks: Returns 1
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_gradients_are_those_of_the_whole_network, test_details
def tensor_parallel_mlp(params, x, mesh, solution=tensor_parallel_mlp):
    kinds = (jax.sharding.AxisType.Auto,) * 2
    return solution(params, x, jax.sharding.Mesh(mesh.devices, ("model", "data"), axis_types=kinds))


# %% gradient_stopped
# The gradient stops at the hidden layer, so x, w1 and b1 get none.
# Do: Remove `stop_gradient`.
# Breaks: Returns 4
# Fails: test_gradients_are_those_of_the_whole_network
def part(params, x):
    hidden = lax.stop_gradient(jax.nn.relu(x @ params["w1"] + params["b1"]))
    return lax.psum(hidden @ params["w2"], "model") + params["b2"]


# %% matrices_added_up
# The one sum assembles both matrices from their parts, and each device does all the work.
# Do: Multiply by the device's own parts, and add up the results.
# Breaks: Returns 2
# Fails: test_one_sum_is_all_that_is_exchanged, test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh):
    def part(w1, b1, w2, b2, x):
        n, me, (d, own) = lax.axis_size("model"), lax.axis_index("model"), w1.shape
        both = jnp.concatenate([w1.T, w2], axis=1)
        wide = jnp.zeros((n * own, both.shape[1]), both.dtype)
        whole = lax.psum(lax.dynamic_update_slice_in_dim(wide, both, me * own, 0), "model")
        return jax.nn.relu(x @ whole[:, :d].T + b1) @ whole[:, d:] + b2

    specs = P(None, "model"), P(), P("model"), P(), P("data")
    run = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)
    return run(*(params[name] for name in ("w1", "b1", "w2", "b2")), x)


# %% once missed


# %% nothing_cut_without_model
# If "model" has one device, the examples aren't sharded either.
# Breaks: Returns 2
# Fails: test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh, solution=tensor_parallel_mlp):
    if mesh.shape["model"] > 1:
        return solution(params, x, mesh)

    def network(params, x):
        return jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]

    return jax.shard_map(network, mesh=mesh, in_specs=P(), out_specs=P())(params, x)


# %% sum_in_float32
# The products and their sum are float32, and the output isn't cast back.
# Do: Cast the output back to the dtype of x.
# Breaks: Details 1
# Fails: test_details
def part(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    term = jnp.matmul(hidden, params["w2"], preferred_element_type=jnp.float32)
    return lax.psum(term, "model") + params["b2"]


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
}
