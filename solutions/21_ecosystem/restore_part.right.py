"""Other right answers to restore_part; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp


def new_dtype(leaf, dtype):
    """The dtype of an array in the result."""
    return dtype if jnp.issubdtype(leaf.dtype, jnp.inexact) else leaf.dtype


# %% placeholders
# A target of the whole tree, with a placeholder for each array that isn't wanted.
def restore_part(path, shapes, dtype):
    checkpointer = ocp.PyTreeCheckpointer()
    target = jax.tree.map(lambda _: ocp.PLACEHOLDER, checkpointer.metadata(path).item_metadata.tree)
    target["params"] = jax.tree.map(
        lambda leaf: jax.ShapeDtypeStruct(leaf.shape, new_dtype(leaf, dtype)), shapes
    )
    how = ocp.checkpoint_utils.construct_restore_args(target)
    return checkpointer.restore(path, args=ocp.args.PyTreeRestore(target, how))["params"]


# %% converted_afterwards
# The parameters are read as they were saved, and converted then.
def restore_part(path, shapes, dtype):
    target = {"params": shapes}
    how = ocp.checkpoint_utils.construct_restore_args(target)
    with ocp.Checkpointer(ocp.PyTreeCheckpointHandler()) as checkpointer:
        args = ocp.args.PyTreeRestore(item=target, restore_args=how, partial_restore=True)
        params = checkpointer.restore(path, args=args)["params"]
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, new_dtype(leaf, dtype)), params)


# %% no_transforms
# As older code does it: what has no rule is left out.
def restore_part(path, shapes, dtype):
    args = jax.tree.map(lambda leaf: ocp.RestoreArgs(dtype=new_dtype(leaf, dtype)), shapes)
    return ocp.PyTreeCheckpointer().restore(
        path, item={"params": shapes}, restore_args={"params": args}, transforms={}
    )["params"]


# %% on_one_device
# Each array says where it belongs, and its dtype is in arguments of its own.
def restore_part(path, shapes, dtype):
    here = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    how = jax.tree.map(
        lambda leaf: ocp.ArrayRestoreArgs(dtype=new_dtype(leaf, dtype), sharding=here), shapes
    )
    args = ocp.args.PyTreeRestore({"params": shapes}, {"params": how}, partial_restore=True)
    return ocp.PyTreeCheckpointer().restore(path, args=args)["params"]
