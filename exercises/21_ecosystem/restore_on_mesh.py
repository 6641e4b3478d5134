"""Restore a checkpoint onto the devices of a mesh.

Orbax: https://orbax.readthedocs.io/en/latest/guides/checkpoint/checkpointing_pytrees.html
"""

from typing import Any

import jax


def restore_on_mesh(path: str, shapes: Any, mesh: jax.sharding.Mesh) -> Any:
    """Return the arrays of a checkpoint, each cut over a mesh or whole on all of its devices.

    A training goes on with another number of devices than before, or a model is used on other
    machines than those that trained it. The checkpoint is the same. But which device reads which
    part is new, and the program that restores has to say it. If it says nothing, Orbax looks for
    the devices on which the arrays were when they were saved.

    `restore(path, target)` of an `ocp.StandardCheckpointer` takes a target: a tree like the one
    that was saved. Each leaf is a `jax.ShapeDtypeStruct` with a shape, a dtype and a sharding. A
    target holds no numbers. Each device then reads its own part only, so no device needs memory for
    a whole array.

    Args:
        path: the absolute path of a folder into which Orbax has saved a pytree.
        shapes: a tree like the saved one, of dicts and lists. Each leaf is a `jax.ShapeDtypeStruct`
            with the shape and the dtype that was saved, and without a sharding. `jax.eval_shape`
            makes such a tree.
        mesh: a mesh whose axes are of type Auto. One of them is "data". There may be other axes,
            before or after it.

    Returns:
        The saved tree, with its values and dtypes. If the first axis of an array is a multiple of
        the size of the axis "data", then the array is cut along its first axis over "data", in
        order, and along nothing else. Each other array, also a scalar, is whole on every device of
        the mesh. Devices that differ in another axis of the mesh hold the same.

    Examples:
        Grading uses eight devices; the code works with one as well.

        >>> import pathlib, tempfile
        >>> import jax.numpy as jnp
        >>> import orbax.checkpoint as ocp
        >>> n = jax.device_count()
        >>> params = {"w": jnp.ones((2 * n, 3)), "scale": jnp.float32(0.5)}
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "step_100"
        >>> with ocp.StandardCheckpointer() as saver:
        ...     saver.save(path, params)
        >>> mesh = jax.make_mesh((n,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> found = restore_on_mesh(str(path), jax.eval_shape(lambda: params), mesh)

        Each device holds two rows of "w", and "scale" is on all of them:

        >>> [piece.data.shape for piece in found["w"].addressable_shards] == [(2, 3)] * n
        True
        >>> [float(piece.data) for piece in found["scale"].addressable_shards] == [0.5] * n
        True
        >>> {leaf.sharding.mesh == mesh for leaf in found.values()}
        {True}
    """
    # TODO: make a target with a sharding for each leaf, and restore it.
    raise NotImplementedError
