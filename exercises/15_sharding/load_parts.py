"""Read each device's part of an array where it is needed.

https://docs.jax.dev/en/latest/_autosummary/jax.make_array_from_callback.html
"""

from collections.abc import Callable

import jax
import numpy as np


def load_parts(
    read: Callable[[int, int], np.ndarray], shape: tuple[int, ...], mesh: jax.sharding.Mesh
) -> jax.Array:
    """Return an array that is cut over devices, from rows that a function reads.

    A data set or a checkpoint may be larger than the memory of one machine. So nobody can read
    all of it first, and hand it to `jax.device_put`. `jax.make_array_from_callback` goes the other
    way: it gets the shape of the whole array and its sharding, and asks your function for the part
    of each device. It calls your function with an index, which is a tuple of slices, one for each
    axis of the array. The parts then make one array of JAX's, and no device needs the part of
    another one.

    Args:
        read: read(start, stop) returns the rows from start to stop - 1, an array of NumPy's,
            [stop - start, *shape[1:]]. start and stop are integers, with 0 <= start < stop.
        shape: the shape of the whole array. shape[0], the number of rows, is a multiple of the
            number of devices.
        mesh: a mesh with one axis, "data", of type Auto, with any number of devices.

    Returns:
        The whole array, of the given shape and of the dtype of what `read` returns. It is cut along
        its first axis over "data" in equal parts, in order. No row is read twice, and each call of
        `read` asks for rows of one device only.

    Examples:
        Grading uses eight devices; the code works with one as well.

        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> calls = []
        >>> def read(start, stop):
        ...     calls.append((start, stop))
        ...     return 10 * np.arange(start, stop)[:, None] + np.arange(3)
        >>> x = load_parts(read, (2 * n, 3), mesh)
        >>> x[:2].tolist()
        [[0, 1, 2], [10, 11, 12]]

        Each device holds two rows. No call reads more, and no row is read twice:

        >>> {piece.data.shape for piece in x.addressable_shards}
        {(2, 3)}
        >>> lengths = [stop - start for start, stop in calls]
        >>> max(lengths) <= 2, sum(lengths) == 2 * n
        (True, True)

    Details:
        On one device, a slice may be `slice(None)`: it has no start and no stop. The array may have
        one axis, or more than two.
    """
    # TODO: say how the array is cut, and read the rows of each part when JAX asks for it.
    raise NotImplementedError
