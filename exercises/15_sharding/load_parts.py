"""Read each device's part of an array where it is needed.

https://docs.jax.dev/en/latest/_autosummary/jax.make_array_from_callback.html
"""

from collections.abc import Callable

import jax
import numpy as np


def load_parts(
    read: Callable[[int, int], np.ndarray], shape: tuple[int, ...], mesh: jax.sharding.Mesh
) -> jax.Array:
    """Return an array that is sharded over devices, from rows that a function reads.

    `jax.make_array_from_callback` takes a shape and a sharding, and calls your function for each
    part, with a tuple of slices.

    Args:
        read: read(start, stop) returns the rows from start to stop - 1, a NumPy array.
        shape: of the whole array; shape[0] is a multiple of the number of devices.
        mesh: a mesh with one axis, "data".

    Returns:
        The whole array, of the dtype of the rows, in 32 bits at most. It is sharded along its first
        axis over "data" in equal parts, in order. No row is read twice, and each call of `read`
        requests rows of one device only.

    Examples:
        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> rows = []
        >>> def read(start, stop):
        ...     rows.append(stop - start)
        ...     return np.arange(start, stop)
        >>> load_parts(read, (2 * n,), mesh)[:2].tolist(), max(rows) <= 2
        ([0, 1], True)

    Details:
        A slice may be `slice(None)`. The array may have any number of axes.
    """
    # TODO: say how the array is sharded, and read each part's rows when JAX requests it.
    raise NotImplementedError
