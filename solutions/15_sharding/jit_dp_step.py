"""Reference solution: the step of one device, and where its arguments lie."""

from collections.abc import Callable
from typing import Any

import jax
from jax.sharding import NamedSharding, PartitionSpec

Loss = Callable[[Any, Any], jax.Array]
Step = Callable[[Any, Any, float | jax.Array], tuple[Any, jax.Array]]


def jit_dp_step(loss_fn: Loss, mesh: jax.sharding.Mesh) -> Step:
    """The batch is cut along "data", and everything else is whole."""
    whole, cut = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))

    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return jax.jit(step, in_shardings=(whole, cut, whole), out_shardings=whole)
