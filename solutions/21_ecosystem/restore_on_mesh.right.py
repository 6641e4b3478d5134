"""Other right answers to restore_on_mesh; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
from jax.sharding import NamedSharding, PartitionSpec


def sharding(leaf, mesh):
    """Where a leaf belongs."""
    if leaf.shape and leaf.shape[0] % mesh.shape["data"] == 0:
        return NamedSharding(mesh, PartitionSpec("data", *[None] * (len(leaf.shape) - 1)))
    return NamedSharding(mesh, PartitionSpec(*[None] * len(leaf.shape)))


# %% placed_afterwards
# Everything is read first, and placed then.
def restore_on_mesh(path, shapes, mesh):
    whole = ocp.StandardCheckpointer().restore(path, shapes)
    return jax.device_put(whole, jax.tree.map(lambda leaf: sharding(leaf, mesh), shapes))


# %% restore_args
# Another checkpointer, with arguments for each array.
def restore_on_mesh(path, shapes, mesh):
    shardings = jax.tree.map(lambda leaf: sharding(leaf, mesh), shapes)
    args = ocp.checkpoint_utils.construct_restore_args(shapes, shardings)
    return ocp.PyTreeCheckpointer().restore(path, item=shapes, restore_args=args)


# %% real_arrays
# The target holds arrays of zeros, which are placed.
def restore_on_mesh(path, shapes, mesh):
    target = jax.tree.map(
        lambda leaf: jax.device_put(jnp.zeros(leaf.shape, leaf.dtype), sharding(leaf, mesh)), shapes
    )
    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, target=target)


# %% from_callbacks
# The parts are taken from arrays of NumPy's.
def restore_on_mesh(path, shapes, mesh):
    def as_numpy(leaf):
        return ocp.RestoreArgs(restore_type=np.ndarray)

    whole = ocp.PyTreeCheckpointer().restore(path, restore_args=jax.tree.map(as_numpy, shapes))
    return jax.tree.map(
        lambda leaf, shape: jax.make_array_from_callback(
            shape.shape, sharding(shape, mesh), lambda index: leaf[index]
        ),
        whole,
        shapes,
    )
