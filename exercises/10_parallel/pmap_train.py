"""Train one model on eight devices at once.

https://docs.jax.dev/en/latest/_autosummary/jax.pmap.html
"""

from typing import Any

import jax


def pmap_train(
    params: Any, xs: jax.Array, ys: jax.Array, lr: float, steps: int
) -> tuple[Any, jax.Array]:
    """Fit `weight * x + bias` to data by gradient descent, with the data spread over all devices.

    This is data parallelism. Every device holds a copy of the parameters (a replica) and its own
    share of the data (a shard), and computes a gradient from its shard. Then the devices average
    their gradients, so all replicas take the step that one device with all the data would have
    taken. If you sum instead of averaging, the steps are eight times too long. If you do neither,
    the replicas diverge. In both cases, the model still seems to learn. Older code does this with
    `jax.pmap`; new code uses `jax.shard_map`.

    Args:
        params: (weight, bias), two float32 scalars, in a tuple or a namedtuple.
        xs: [N, 1] float32, where N is a multiple of the number of devices.
        ys: [N, 1] float32.
        lr: the learning rate, a Python float.
        steps: the number of steps; a Python int, at least 1.

    Returns:
        (params, losses), where `params` are the two scalars after the last step: return them once,
        not once per device. `losses` is [steps]: the mean of (weight * x + bias - y) ** 2 over all
        N examples, just before each step. Each device works only on its own examples.

    Examples:
        Your machine may have only one device. Ask JAX how many there are.

        >>> import jax.numpy as jnp
        >>> xs = jnp.linspace(-1.0, 1.0, 64).reshape(64, 1)
        >>> start = (jnp.array(0.0), jnp.array(0.0))
        >>> (weight, bias), losses = pmap_train(start, xs, 2.0 * xs + 1.0, 0.5, 30)
        >>> losses.shape, round(float(losses[0]), 3), bool(losses[-1] < losses[0])
        ((30,), 2.376, True)
        >>> round(float(weight), 2), round(float(bias), 2)
        (2.0, 1.0)

    Details:
        A namedtuple comes back as a namedtuple of its type, and a tuple as a tuple. Works under
        `jit` with a static number of steps.
    """
    # TODO: cut the data into shards, and let every device do its part of every step.
    raise NotImplementedError
