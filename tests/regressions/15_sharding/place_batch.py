"""What the suite of place_batch once missed; each cell is a suffix to the solution.

Not noticed any more: what happens to an array without elements, since the text names none.
"""

import jax
from jax.sharding import NamedSharding, PartitionSpec


# %% shuffled
# The examples are dealt out one by one, so the order of the examples is lost.
# Fails: test_each_device_holds_its_examples, test_other_axes_of_the_mesh_hold_copies, test_details
def place_batch(batch, params, mesh, solution=place_batch):  # noqa: F821
    def deal(leaf):
        parts = mesh.shape["data"]
        return leaf.reshape(-1, parts, *leaf.shape[1:]).swapaxes(0, 1).reshape(leaf.shape)

    return solution(jax.tree.map(deal, batch), params, mesh)


# %% left_where_they_are
# Parameters that lie on the mesh already stay as they are, even if they are cut.
# Fails: test_the_pieces_are_there_without_jit
def place_batch(batch, params, mesh, solution=place_batch):
    def is_there(p):
        sharding = getattr(p, "sharding", None)
        return isinstance(sharding, jax.sharding.NamedSharding) and sharding.mesh == mesh

    batch, whole = solution(batch, params, mesh)
    return batch, jax.tree.map(lambda p, w: p if is_there(p) else w, params, whole)


# %% trees_by_hand
# Dicts, lists and tuples are walked by hand, and a namedtuple can't be made from one argument.
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
# Fails: test_each_device_holds_all_parameters, test_other_axes_of_the_mesh_hold_copies,
# test_the_pieces_are_there_without_jit, test_details
def place_batch(batch, params, mesh, solution=place_batch):
    kinds, devices = (jax.sharding.AxisType.Auto,) * mesh.devices.ndim, jax.devices()[: mesh.size]
    sizes = mesh.devices.shape
    mesh = jax.make_mesh(sizes, mesh.axis_names, axis_types=kinds, devices=devices)
    return solution(batch, params, mesh)
