"""What learners get wrong in place_batch; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec


# %% first_device
# `device_put` without a sharding leaves everything on the first device.
# Do: Give `device_put` a sharding, which says where the array is placed.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_device_holds_its_examples, test_each_device_holds_all_parameters,
# test_other_axes_of_the_mesh_hold_copies, test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh):
    return jax.device_put(batch), jax.device_put(params)


# %% everything_cut
# The parameters get the sharding of the batch, so no device holds all of them.
# Do: Make a second sharding for the parameters, which shards nothing.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_each_device_holds_all_parameters, test_other_axes_of_the_mesh_hold_copies,
# test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh):
    def place(leaf):
        spec = PartitionSpec("data") if leaf.ndim else PartitionSpec()
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    return jax.tree.map(place, (batch, params))


# %% batch_everywhere
# Each device gets the whole batch.
# Do: Make a second sharding for the batch, which names the axis "data".
# Breaks: Returns 2
# Fails: test_each_device_holds_its_examples, test_other_axes_of_the_mesh_hold_copies,
# test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh):
    return jax.device_put((batch, params), NamedSharding(mesh, PartitionSpec()))


# %% params_left
# The parameters aren't placed: they stay where they are.
# Do: Also place the parameters: whole on every device.
# Breaks: Returns 4
# Fails: test_each_device_holds_all_parameters, test_other_axes_of_the_mesh_hold_copies,
# test_the_pieces_are_there_without_jit
def place_batch(batch, params, mesh):
    return jax.device_put(batch, NamedSharding(mesh, PartitionSpec("data"))), params


# %% last_axis
# The last axis of each array, the feature axis, is sharded.
# Do: Name "data" for the first axis of each array. Its other axes are whole.
# Breaks: Returns 2
# Fails: test_each_device_holds_its_examples, test_other_axes_of_the_mesh_hold_copies,
# test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh):
    def place(leaf):
        spec = PartitionSpec(*[None] * (leaf.ndim - 1), "data")
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    whole = NamedSharding(mesh, PartitionSpec())
    return jax.tree.map(place, batch), jax.device_put(params, whole)


# %% all_axes
# The batch is sharded over all axes of the mesh.
# Do: Name only the axis "data". Devices along other axes hold the same part.
# Breaks: Returns 3
# Fails: test_other_axes_of_the_mesh_hold_copies, test_the_pieces_are_there_without_jit
def place_batch(batch, params, mesh):
    cut = NamedSharding(mesh, PartitionSpec(mesh.axis_names))
    whole = NamedSharding(mesh, PartitionSpec())
    return jax.device_put(batch, cut), jax.device_put(params, whole)


# %% first_axis
# The first axis of the mesh shards the batch, regardless of its name.
# Do: Refer to the axis by its name, "data".
# Breaks: Returns 2
# Fails: test_other_axes_of_the_mesh_hold_copies
def place_batch(batch, params, mesh):
    cut = NamedSharding(mesh, PartitionSpec(mesh.axis_names[0]))
    whole = NamedSharding(mesh, PartitionSpec())
    return jax.device_put(batch, cut), jax.device_put(params, whole)


# %% new_mesh
# A new mesh of all devices takes the place of the argument.
# Do: Use the given mesh.
# Breaks: Returns 2
# Fails: test_each_device_holds_all_parameters, test_other_axes_of_the_mesh_hold_copies,
# test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh, solution=place_batch):
    auto = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((jax.device_count(),), ("data",), axis_types=auto)
    return solution(batch, params, mesh)


# %% split_rows
# The batch gets a leading device axis, as `pmap` requires.
# Do: Leave the shapes as they are. A sharding shards an array without a new axis.
# Breaks: Returns 1
# Fails: test_each_device_holds_its_examples, test_other_axes_of_the_mesh_hold_copies,
# test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh, solution=place_batch):
    def split(leaf):
        return leaf.reshape(mesh.shape["data"], -1, *leaf.shape[1:])

    return solution(jax.tree.map(split, batch), params, mesh)


# %% removed_function
# `jax.device_put_replicated` was removed from JAX, and it added an axis.
# Do: Use `jax.device_put` with a sharding that shards nothing.
# Breaks: Returns 4
# Fails: test_each_device_holds_its_examples, test_each_device_holds_all_parameters,
# test_other_axes_of_the_mesh_hold_copies, test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh):
    cut = NamedSharding(mesh, PartitionSpec("data"))
    devices = list(mesh.devices.flat)
    return jax.device_put(batch, cut), jax.device_put_replicated(params, devices)


# %% two_lists
# The trees come back as lists of their arrays.
# Do: `device_put` takes a whole tree, and returns the same tree.
# Breaks: Returns 1
# Fails: test_each_device_holds_its_examples, test_each_device_holds_all_parameters,
# test_other_axes_of_the_mesh_hold_copies, test_details
def place_batch(batch, params, mesh, solution=place_batch):
    return solution(jax.tree.leaves(batch), jax.tree.leaves(params), mesh)


# %% float32
# All parameters become float32.
# Do: Leave the values as they are. Only their place changes.
# Breaks: Returns 1
# Fails: test_details
def place_batch(batch, params, mesh):
    cut = NamedSharding(mesh, PartitionSpec("data"))
    whole = NamedSharding(mesh, PartitionSpec())
    params = jax.tree.map(jnp.float32, params)
    return jax.device_put(batch, cut), jax.device_put(params, whole)


# %% once missed


# %% shuffled
# The examples are dealt out one by one, so their order is lost.
# Breaks: Returns 2
# Fails: test_each_device_holds_its_examples, test_other_axes_of_the_mesh_hold_copies, test_details
def place_batch(batch, params, mesh, solution=place_batch):
    def deal(leaf):
        parts = mesh.shape["data"]
        return leaf.reshape(-1, parts, *leaf.shape[1:]).swapaxes(0, 1).reshape(leaf.shape)

    return solution(jax.tree.map(deal, batch), params, mesh)


# %% left_where_they_are
# Parameters that are already on the mesh stay as they are, even if they are sharded.
# Breaks: Returns 4
# Fails: test_the_pieces_are_there_without_jit
def place_batch(batch, params, mesh, solution=place_batch):
    def is_there(p):
        sharding = getattr(p, "sharding", None)
        return isinstance(sharding, jax.sharding.NamedSharding) and sharding.mesh == mesh

    batch, whole = solution(batch, params, mesh)
    return batch, jax.tree.map(lambda p, w: p if is_there(p) else w, params, whole)


# %% trees_by_hand
# The code walks dicts, lists and tuples itself, and fails to rebuild a namedtuple from one argument.
# Breaks: Details 1
# Fails: test_details
def place_batch(batch, params, mesh):
    def place(tree, sharding):
        if isinstance(tree, dict):
            return {name: place(value, sharding) for name, value in tree.items()}
        if isinstance(tree, list | tuple):
            return type(tree)([place(value, sharding) for value in tree])
        return tree if tree is None else jax.device_put(tree, sharding)

    whole = NamedSharding(mesh, PartitionSpec())
    return place(batch, NamedSharding(mesh, PartitionSpec("data"))), place(params, whole)


# %% same_axes_new_mesh
# A new mesh with the same axes takes the place of the argument: its devices have another order.
# Breaks: Returns 2
# Fails: test_each_device_holds_all_parameters, test_other_axes_of_the_mesh_hold_copies,
# test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh, solution=place_batch):
    kinds, devices = (jax.sharding.AxisType.Auto,) * mesh.devices.ndim, jax.devices()[: mesh.size]
    sizes = mesh.devices.shape
    mesh = jax.make_mesh(sizes, mesh.axis_names, axis_types=kinds, devices=devices)
    return solution(batch, params, mesh)


# %% cut_by_numpy
# NumPy slices the parts, and can't read a traced array.
# Breaks: Details 2
# Fails: test_each_device_holds_its_examples, test_other_axes_of_the_mesh_hold_copies, test_details
def place_batch(batch, params, mesh, solution=place_batch):
    cut = NamedSharding(mesh, PartitionSpec("data"))

    def placed(array):
        return jax.make_array_from_callback(array.shape, cut, np.asarray(array).__getitem__)

    return jax.tree.map(placed, batch), solution(batch, params, mesh)[1]
