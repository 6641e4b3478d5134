"""Fix a limit for gradients that are sharded over devices.

Manual parallelism with `shard_map`: https://docs.jax.dev/en/latest/notebooks/shard_map.html
"""

from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def clip_cut(grads: Any, limit: float | jax.Array, mesh: jax.sharding.Mesh) -> Any:
    """Return the gradients, scaled down so that all of them together are no longer than a limit.

    This program runs, and somebody uses it. Fix it.

    Symptoms: on one device, training is stable. On four devices, the same training run sometimes
    diverges. The new gradients are up to twice as long as the limit. The rows of one matrix are
    scaled by different factors, so the direction of the gradients changes.

    Args:
        grads: a pytree of float32 arrays, whole or sharded along their first axis. Its length is a
            multiple of the number of devices.
        limit: the largest length, more than 0, a scalar.
        mesh: a mesh with one axis, "data", of type Auto, with any number of devices.

    Returns:
        A pytree of the same structure, in which the first axis of each array is sharded over the
        devices. The length is the root of the sum of all squares in all arrays. If it is above the
        limit, everything is multiplied by the same number, so that the length is the limit.
        Otherwise nothing changes, even if all gradients are 0. No device gets another device's
        rows. Works under `jit`.

    Examples:
        Grading uses four devices; the code works with one as well.

        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> grads = {"w": jnp.array([[6.0], [0.0], [0.0], [8.0]])}
        >>> clip_cut(grads, 20.0, mesh)["w"].tolist()
        [[6.0], [0.0], [0.0], [8.0]]
        >>> clip_cut(grads, 5.0, mesh)["w"].tolist()
        [[3.0], [0.0], [0.0], [4.0]]
    """

    def part(rows, limit):
        squares = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(rows))
        is_long = squares > limit**2
        factor = jnp.where(is_long, limit / jnp.sqrt(jnp.where(is_long, squares, 1)), 1)
        return jax.tree.map(lambda leaf: factor * leaf, rows)

    specs = {"in_specs": (P("data"), P()), "out_specs": P("data")}
    return jax.shard_map(part, mesh=mesh, **specs)(grads, limit)
