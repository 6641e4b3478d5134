"""Restore only the parameters from the checkpoint of a training.

Orbax: https://orbax.readthedocs.io/en/latest/guides/checkpoint/checkpointing_pytrees.html
"""

from typing import Any

import jax


def restore_part(path: str, shapes: Any, dtype: jax.typing.DTypeLike) -> Any:
    """Return the parameters in a checkpoint, in another dtype, and read nothing else.

    A checkpoint of a training has more than parameters. The averages of Adam alone are twice as
    large. Whoever only uses the model needs none of that, and often computes in half precision.
    Orbax stores each array by itself. So it can read some of them, and convert each one while it
    is read.

    An `ocp.StandardCheckpointer` wants a target for the whole tree. An `ocp.PyTreeCheckpointer` can
    do more: `restore(path, args=ocp.args.PyTreeRestore(item, restore_args, partial_restore=True))`.
    `item` is a target that may be a part of the saved tree. `restore_args` says how each array is
    read. Without them, Orbax ignores the dtypes of the target.
    `ocp.checkpoint_utils.construct_restore_args(target)` makes them.

    Args:
        path: the absolute path of a folder into which Orbax has saved a dict. Its key "params" has
            the parameters. It may have any other keys.
        shapes: the parameters as `jax.eval_shape` describes them: a tree of dicts and lists, with a
            `jax.ShapeDtypeStruct` for each array, of the shape and dtype that was saved.
        dtype: the dtype that floats get, such as jnp.bfloat16.

    Returns:
        A tree like `shapes`, with the saved arrays. Floats have the dtype `dtype`. Integers and
        booleans keep theirs. Nothing else is read, so damaged files of other keys raise no error.

    Examples:
        Each array has its own files here, and one of them is damaged:

        >>> import pathlib, tempfile
        >>> import jax.numpy as jnp
        >>> import orbax.checkpoint as ocp
        >>> params = {"table": jnp.array([2, 0]), "w": jnp.array([1.5, 0.1])}
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "step_100"
        >>> with ocp.PyTreeCheckpointer(use_ocdbt=False) as saver:
        ...     saver.save(path, {"params": params, "average": jnp.zeros(2)})
        >>> _ = (path / "average" / "0").write_bytes(b"damaged")
        >>> shapes = jax.eval_shape(lambda: params)
        >>> found = restore_part(str(path), shapes, jnp.bfloat16)

        In bfloat16, 0.1 is another number. The table has integers, and keeps them:

        >>> found["w"].tolist(), str(found["w"].dtype)
        ([1.5, 0.10009765625], 'bfloat16')
        >>> found["table"].tolist(), str(found["table"].dtype)
        ([2, 0], 'int32')
    """
    # TODO: make a target for the parameters alone, with the dtypes that you want.
    raise NotImplementedError
