"""Write one replica's part of a training step.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.pmean.html
"""

from typing import Any

import jax


def dp_update(
    params: Any, x: jax.Array, y: jax.Array, lr: float, axis: str
) -> tuple[Any, jax.Array]:
    """Take one step together with all other replicas, from one shard of the data.

    This is the core of training on many devices. A copy of the program runs on each device: a
    replica, with its own shard of the data and an equal copy of the parameters. The replica axis
    has a name. A collective such as `jax.lax.pmean` combines the values of all replicas on the axis
    with that name. Neither the number of devices nor their kind appears in the code, so it also
    runs under `jax.vmap` with `axis_name`, on one device. You can try it out there.

    Args:
        params: (weight, bias), two scalar float32 arrays, in a tuple or a namedtuple. They are
            equal on all replicas.
        x: [n, 1] float32, this replica's shard; all shards have the same length.
        y: [n, 1] float32.
        lr: the learning rate.
        axis: the name of the axis over which the replicas are mapped.

    Returns:
        (params, loss). `params` are the parameters after one step of gradient descent on the data
        of all replicas. `loss` is a scalar: the mean of (weight * x + bias - y) ** 2 over all data,
        just before the step. Both results are equal on all replicas. Each replica works only on its
        own shard.

    Examples:
        Four replicas, with two examples each:

        >>> import jax.numpy as jnp
        >>> xs = jnp.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]).reshape(4, 2, 1)
        >>> params = (jnp.array(0.0), jnp.array(1.0))
        >>> def step(x, y):
        ...     return dp_update(params, x, y, 0.5, "replicas")
        >>> (weight, bias), loss = jax.vmap(step, axis_name="replicas")(xs, xs)
        >>> weight.tolist(), bias.tolist()
        ([14.0, 14.0, 14.0, 14.0], [3.5, 3.5, 3.5, 3.5])
        >>> loss.tolist()
        [11.5, 11.5, 11.5, 11.5]

    Details:
        A namedtuple comes back as a namedtuple of its type, whose fields may have any names. If an
        example of one replica is NaN, the loss and the new parameters are NaN on all replicas.
        Where all errors are 0, the parameters don't change.
    """
    # TODO: compute loss and gradient of this shard, then what has to be equal on all replicas.
    raise NotImplementedError
