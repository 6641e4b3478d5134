"""Compute the gradient of a large batch in small parts.

https://docs.jax.dev/en/latest/_autosummary/jax.value_and_grad.html
"""

from collections.abc import Callable
from typing import Any

import jax

Loss = Callable[[Any, Any], tuple[jax.Array, jax.Array]]


def grad_accumulation(loss: Loss, params: Any, batch: Any, parts: int) -> tuple[jax.Array, Any]:
    """Return the loss of a batch and its gradient, computed from `parts` equal parts of the batch.

    A gradient keeps intermediate results of all examples. If they don't fit in memory, go through
    the batch in parts, and add up the results of the parts. The examples have weights: for
    instance, padding has weight 0. The loss of the batch is the weighted mean over all examples:

        (sum of the totals of all parts) / (sum of the weights of all parts)

    The mean of the parts' means is another number, unless all parts have the same weight. A Python
    loop over the parts makes the program grow with their number, so use `jax.lax.scan`.

    Args:
        loss: a function that can be traced: loss(params, batch) -> (total, weight), for any number
            of examples. `total` is the sum of weight times loss over the examples, and `weight`
            the sum of their weights; both are float32 scalars. Only `total` depends on `params`.
        params: a pytree of float32 or bfloat16 arrays.
        batch: a pytree of arrays, all with B rows. Row i of all arrays is example i.
        parts: the number of parts; a Python int that divides B. Each part has B / parts examples.
            Some parts may have weight 0, but not all of them.

    Returns:
        (value, grads): the loss of the batch, a float32 scalar, and its gradient, with the
        structure, shapes and dtypes of `params`. A loop computes one whole part in each round, so
        only one part at a time has intermediate results, and for 60 parts the program has fewer
        than 300 operations.

    Examples:
        >>> import jax.numpy as jnp
        >>> def loss(w, batch):
        ...     error = w * batch["x"] - batch["y"]
        ...     return (batch["weight"] * error**2).sum(), batch["weight"].sum()
        >>> batch = {"x": jnp.ones(4), "y": jnp.array([0.0, 2.0, 4.0, 4.0])}
        >>> batch["weight"] = jnp.array([1.0, 1.0, 2.0, 4.0])
        >>> w = jnp.float32(1)
        >>> [[float(x) for x in grad_accumulation(loss, w, batch, parts)] for parts in (1, 2, 4)]
        [[7.0, -4.5], [7.0, -4.5], [7.0, -4.5]]

        The second part of this batch is padding:

        >>> batch["weight"] = jnp.array([1.0, 3.0, 0.0, 0.0])
        >>> [float(x) for x in grad_accumulation(loss, w, batch, 2)]
        [1.0, -1.0]

    Details:
        The gradients of the parts are summed in float32, even those of bfloat16 parameters, and
        cast at the end. A row of the batch may be a number, a vector or a matrix, of any dtype.
        `value` has a reverse-mode gradient, in `params` and in the batch.
    """
    # TODO: cut the batch into parts, add up their results in a scan, and divide at the end.
    raise NotImplementedError
