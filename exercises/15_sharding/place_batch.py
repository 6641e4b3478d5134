"""Place arrays on the devices of a mesh.

https://docs.jax.dev/en/latest/_autosummary/jax.device_put.html
"""

from typing import Any

import jax


def place_batch(batch: Any, params: Any, mesh: jax.sharding.Mesh) -> tuple[Any, Any]:
    """Return a batch that is cut over a mesh of devices, and parameters that all devices hold.

    A new array lies whole on the first device. The other devices have nothing to do, until
    somebody says where the data belong. A `jax.sharding.NamedSharding` says it: it has a mesh,
    whose axes have names, and a `PartitionSpec`, which names the axis of the mesh for each axis
    of the array. `jax.device_put` moves an array there. From then on the computation follows the
    data: `jit` runs on the devices that hold its arguments.

    In data parallel training, each device gets a part of the examples and a copy of the
    parameters. Place both. Parameters that are left on the first device are copied again in each
    step, and it may be an error to use them together with a batch on other devices. Parameters
    that are cut like the batch give right results, too, but devices have to exchange them in each
    step.

    Args:
        batch: a pytree of arrays of numbers or booleans, each of shape [n, ...]. n is the number
            of examples, a multiple of the size of the axis "data".
        params: a pytree of arrays of any shapes and dtypes, scalars among them.
        mesh: a mesh whose axes are of type Auto. One of them is "data". There may be other axes,
            before or after it.

    Returns:
        (batch, params): the same trees with the same values and dtypes. The batch is cut along its
        first axis over "data" in equal parts, in order, and along nothing else. Devices that
        differ in another axis of the mesh hold the same part. The parameters are whole on every
        device of the mesh.

    Examples:
        Grading uses eight devices; the code works with one as well.

        >>> import jax.numpy as jnp
        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> x = jnp.arange(6.0 * n).reshape(2 * n, 3)
        >>> batch, params = place_batch({"x": x}, [jnp.ones((3, n)), jnp.ones(n)], mesh)

        Each device holds two examples, and all parameters:

        >>> {piece.data.shape for piece in batch["x"].addressable_shards}
        {(2, 3)}
        >>> [len(p.sharding.device_set) == n and p.is_fully_replicated for p in params]
        [True, True]

    Details:
        A tree may hold namedtuples and None. Works under `jit` and `grad`.
    """
    # TODO: make a sharding for the batch and one for the parameters, and place both.
    raise NotImplementedError
