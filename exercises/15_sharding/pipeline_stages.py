"""Put a network's layers on different devices.

Manual parallelism with `shard_map`: https://docs.jax.dev/en/latest/notebooks/shard_map.html
"""

from collections.abc import Callable
from typing import Any

import jax


def pipeline_stages(
    stage: Callable[[Any, jax.Array], jax.Array], params: Any, x: jax.Array, mesh: jax.sharding.Mesh
) -> jax.Array:
    """Return the output of the last stage for each microbatch.

    A network that is too large for one device is split between its layers: each device has one
    stage, and sends its results to the next device. If a whole batch went through in one piece, one
    device would work while all others waited. So the batch is split into M microbatches. While
    stage 1 works on microbatch 0, stage 0 works on microbatch 1. In tick t, device i has microbatch
    t - i, if there is one.

    In `jax.shard_map`, a device without a microbatch still computes, but its result is unused. Use
    `jax.lax.ppermute` to send, and a JAX loop over the ticks. The loop's carry must vary over the
    devices from the start. `jnp.zeros` doesn't: turn off the check (`check_vma=False`), or use
    `jax.lax.pcast(zeros, "stage", to="varying")`.

    Args:
        stage: stage(p, h) has the shape and dtype of h. It is made of JAX operations.
        params: a pytree of arrays [n, ...]. Entry i of each one is for stage i, which is on device
            i.
        x: [M, ...] float32, the M microbatches, whole on each device. M may be any number from 1,
            even less than n.
        mesh: a mesh with one axis, "stage", of type Auto, with n devices. n may be any number.

    Returns:
        [M, ...] float32, in which entry m is x[m] after stages 0 to n - 1, in this order. A device
        computes its stage at most M + n - 1 times. For 300 microbatches, the program has fewer than
        300 operations. The compiled program has `collective-permute`, and at most one other
        collective, for the result. Works under `jit` and `grad`.

    Examples:
        Grading uses four devices; the code works with one as well.

        >>> import jax.numpy as jnp
        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("stage",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> def stage(p, h):
        ...     return 2 * h + p
        >>> params, x = jnp.arange(1.0, n + 1), jnp.arange(6.0).reshape(3, 2)
        >>> expected = x
        >>> for p in params:
        ...     expected = stage(p, expected)
        >>> y = pipeline_stages(stage, params, x, mesh)
        >>> (y - expected).tolist()
        [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]

        Parameters stay where they are:

        >>> def run(params, x):
        ...     return pipeline_stages(stage, params, x, mesh)
        >>> text = jax.jit(run).lower(params, x).compile().as_text()
        >>> text.count(" all-gather(") <= 1, n == 1 or " collective-permute" in text
        (True, True)

    Details:
        Results are also right if M is less than n. If a stage returns NaN for zeros, the results
        are right, but gradients need not be.
    """
    # TODO: in each tick, take the next microbatch or what has arrived, compute, and send.
    raise NotImplementedError
