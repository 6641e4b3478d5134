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

    With `jax.jit`, you write the program for one large device, and say only where arrays are
    placed. The compiler splits the work, and adds the sums over devices that this needs. So the
    loss still covers the whole batch, even if it isn't a mean of the losses of parts. But if you
    don't say where the arrays are placed, `jit` splits nothing, and one device does all the work.

    Args:
        loss_fn: loss_fn(params, batch) is a scalar float32, for a pytree of float32 arrays and one
            of arrays [n, ...], where n is a multiple of the number of devices. It may be any
            traceable function of the whole batch, such as a mean over examples that a mask keeps.
        mesh: a mesh with one axis, "data", of type Auto.

    Returns:
        step(params, batch, lr) -> (params, loss), which works alone and under `jit`. Each new array
        is p - lr * gradient, whole on every device. Each device works on its own examples only. lr
        may be a float or a scalar float32 array. The loss is that of the whole batch before the
        step.

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

        The step's program knows about all devices:

        >>> text = jax.jit(step).lower(w, batch, 0.25).compile().as_text()
        >>> f"num_partitions={jax.device_count()}" in text or jax.device_count() == 1
        True

    Details:
        A tree may contain namedtuples and None.
    """
    # TODO: write the step for one device, and tell `jit` where to place arguments and results.
    raise NotImplementedError
