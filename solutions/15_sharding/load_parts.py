"""Reference solution: JAX asks for each part, and its rows are read then."""

from collections.abc import Callable

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec


def load_parts(
    read: Callable[[int, int], np.ndarray], shape: tuple[int, ...], mesh: jax.sharding.Mesh
) -> jax.Array:
    """The first slice of an index names the rows of a device."""

    def part(index):
        start, stop, _ = index[0].indices(shape[0])
        return read(start, stop)

    cut = NamedSharding(mesh, PartitionSpec("data"))
    return jax.make_array_from_callback(shape, cut, part)
