"""Fix an accuracy that depends on the devices.

Manual parallelism with `shard_map`: https://docs.jax.dev/en/latest/notebooks/shard_map.html
"""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def mesh_accuracy(scores: jax.Array, labels: jax.Array, mesh: jax.sharding.Mesh) -> jax.Array:
    """Return the share of correctly classified examples, computed on a mesh.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: 256 examples have the same accuracy on one device and on four. The next data
    set has 130 examples, which were padded to 256. Its accuracy is 0.70 on one device, and 0.48 on
    four.

    Args:
        scores: float32 of shape (N, C), a score for each class, one of them the largest. N is a
            multiple of the number of devices. Scores and labels are cut along N.
        labels: int32 of shape (N,), the right classes. Padding has the label -1. It may be
            anywhere, and a device may have nothing else. At least one example is real.
        mesh: a mesh with one axis, "data", of type Auto, with any number of devices.

    Returns:
        A float32 scalar: how many of the real examples have their largest score at the right class,
        divided by the number of real examples. It is the same on any mesh. Each device works only
        on its own examples. Works under `jit`.

    Examples:
        Grading uses four devices; the code also works with one.

        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> scores = jax.nn.one_hot(jnp.array([2, 0, 1, 1, 0, 0, 0, 0]), 3)
        >>> float(mesh_accuracy(scores, jnp.array([2, 0, 0, 1, 2, 1, 0, 2]), mesh))
        0.5
        >>> float(mesh_accuracy(scores, jnp.array([2, 0, 0, 1, -1, -1, -1, -1]), mesh))
        0.75
    """

    def part(scores, labels):
        is_real = labels >= 0
        is_right = is_real & (jnp.argmax(scores, axis=1) == labels)
        accuracy = is_right.sum() / jnp.maximum(is_real.sum(), 1)
        return jax.lax.pmean(accuracy, "data")

    cut = P("data")
    return jax.shard_map(part, mesh=mesh, in_specs=(cut, cut), out_specs=P())(scores, labels)
