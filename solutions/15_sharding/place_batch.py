"""Reference solution: one sharding for the batch, and one for the parameters."""

from typing import Any

import jax
from jax.sharding import NamedSharding, PartitionSpec


def place_batch(batch: Any, params: Any, mesh: jax.sharding.Mesh) -> tuple[Any, Any]:
    """The batch is cut over "data", and the parameters are whole on each device."""
    cut = NamedSharding(mesh, PartitionSpec("data"))
    whole = NamedSharding(mesh, PartitionSpec())
    return jax.device_put(batch, cut), jax.device_put(params, whole)
