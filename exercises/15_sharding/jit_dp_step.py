"""Let the compiler split a training step.

Distributed arrays and automatic parallelization: https://docs.jax.dev/en/latest/parallel.html
"""

from collections.abc import Callable
from typing import Any

import jax

Loss = Callable[[Any, Any], jax.Array]
Step = Callable[[Any, Any, float | jax.Array], tuple[Any, jax.Array]]


def jit_dp_step(loss_fn: Loss, mesh: jax.sharding.Mesh) -> Step:
    """Return a training step that runs on all devices of a mesh, each with a part of the batch.

    In a function under `jax.pmap` or `jax.shard_map`, you write the program of one device: what
    it computes of its part, and what the devices exchange. `jax.jit` works the other way round. You
    write the program as if there were one large device, and say only where arrays lie. The
    compiler splits the work, and adds the sums over devices that this needs. The meaning of the
    program stays what it was. So a loss over the whole batch remains one, even if it isn't a mean
    of the losses of parts. But without a word on where the arrays lie, `jit` splits nothing, and
    one device does all the work.

    Args:
        loss_fn: loss_fn(params, batch) is a scalar float32. It may be any traceable function of the
            whole batch: a mean over those examples that a mask keeps, or something that depends on
            the mean of the batch.
        mesh: a mesh with one axis, "data", of type Auto.

    Returns:
        step(params, batch, lr) -> (params, loss).

        params: a pytree of float32 arrays. Each new one is p - lr * gradient, whole on every
            device.
        batch: a pytree of arrays [n, ...]. Each device works on its own n / devices examples.
        lr: a float or a scalar float32 array.
        loss: that of the whole batch before the step.

    Examples:
        Grading uses eight devices; the code works with one as well.

        >>> import jax.numpy as jnp
        >>> mesh = jax.make_mesh(
        ...     (jax.device_count(),), ("data",), axis_types=(jax.sharding.AxisType.Auto,)
        ... )
        >>> def mean_of_kept(w, batch):
        ...     error = (w - batch["y"]) ** 2
        ...     return (batch["kept"] * error).sum() / batch["kept"].sum()
        >>> step = jit_dp_step(mean_of_kept, mesh)
        >>> batch = {"y": 2 * jnp.arange(8.0), "kept": jnp.arange(8) > 3}
        >>> w, loss = step(jnp.float32(1), batch, 0.25)
        >>> float(w), float(loss)
        (6.0, 105.0)

        The program of the step knows about all devices:

        >>> text = jax.jit(step).lower(w, batch, 0.25).compile().as_text()
        >>> f"num_partitions={jax.device_count()}" in text or jax.device_count() == 1
        True

    Details:
        n is a multiple of the number of devices. step works alone and under `jit`. A tree may hold
        namedtuples and None.
    """
    # TODO: write the step for one device, and tell `jit` where arguments and results lie.
    raise NotImplementedError
