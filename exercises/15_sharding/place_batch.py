"""Place arrays on the devices of a mesh.

https://docs.jax.dev/en/latest/_autosummary/jax.device_put.html
"""

from typing import Any

import jax


def place_batch(batch: Any, params: Any, mesh: jax.sharding.Mesh) -> tuple[Any, Any]:
    """Return a batch that is sharded over a mesh of devices, and parameters that all devices hold.

    `jax.device_put` moves an array to a `jax.sharding.NamedSharding`: a mesh, and a
    `PartitionSpec`, which names what shards each array axis.

    Args:
        batch: a pytree of arrays [n, ...], with n a multiple of the size of "data".
        params: a pytree of arrays.
        mesh: of type Auto, with an axis "data" and possibly others.

    Returns:
        (batch, params), with the same trees, values and dtypes. The batch is sharded along its
        first axis over "data" in equal parts, in order. Devices that differ in another axis of the
        mesh hold the same part. The parameters are whole on every device.

    Examples:
        >>> import jax.numpy as jnp
        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> batch, params = place_batch({"x": jnp.ones((2 * n, 3))}, [jnp.ones(n)], mesh)
        >>> {piece.data.shape for piece in batch["x"].addressable_shards}
        {(2, 3)}
        >>> len(params[0].sharding.device_set) == n and params[0].is_fully_replicated
        True

    Details:
        Trees may contain namedtuples and None. Works under `jit` and `grad`.
    """
    # TODO: make a sharding for the batch and one for the parameters, and place both.
    raise NotImplementedError
