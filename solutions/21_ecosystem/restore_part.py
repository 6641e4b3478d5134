"""Reference solution: a target for the parameters alone."""

from typing import Any

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp


def restore_part(path: str, shapes: Any, dtype: jax.typing.DTypeLike) -> Any:
    """The target has the wanted dtypes, and the restore arguments say so."""

    def wanted(leaf):
        is_float = jnp.issubdtype(leaf.dtype, jnp.floating)
        return jax.ShapeDtypeStruct(leaf.shape, dtype if is_float else leaf.dtype)

    target = {"params": jax.tree.map(wanted, shapes)}
    how = ocp.checkpoint_utils.construct_restore_args(target)
    with ocp.PyTreeCheckpointer() as checkpointer:
        args = ocp.args.PyTreeRestore(target, how, partial_restore=True)
        return checkpointer.restore(path, args=args)["params"]
