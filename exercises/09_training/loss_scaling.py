"""Train in half precision, with a loss scale that adapts.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.isfinite.html
"""

from collections.abc import Callable
from typing import Any

import jax

State = tuple[jax.Array, jax.Array]


def loss_scaling(
    loss: Callable[[Any], jax.Array], params: Any, state: State, lr: float, period: int
) -> tuple[Any, State]:
    """Take one step of descent with gradients in float16, or skip it if they overflow.

    In float16, a number below 3e-8 becomes 0, and many gradients are that small. So the loss is
    multiplied by a scale before it is differentiated, and the gradients are divided by it
    afterwards. If the scale is too large, gradients become infinite or NaN. So after some good
    steps the scale doubles, and after an overflow it is halved. With state = (scale, good), one
    step is:

    1. Round the parameters to float16. Differentiate scale * loss with respect to them.
    2. Convert these gradients to float32. Only then divide them by the scale.
    3. If all numbers of all gradients are finite, each float32 parameter p with the gradient g
       becomes p - lr * g, and good becomes good + 1. If good is now `period`, the scale doubles,
       and good becomes 0.
    4. If not, all parameters stay as they are, the scale is halved, and good becomes 0.

    Args:
        loss: a function that can be traced: loss(params) -> float32 scalar, for float16 parameters.
        params: a pytree of float32 arrays, possibly with None and empty arrays.
        state: (scale, good): a positive float32 scalar, and an int32 scalar less than `period`.
        lr: the learning rate, a Python float.
        period: the number of good steps before the scale doubles; a Python int, at least 1.

    Returns:
        (params, state) after the step, with the input structure, shapes and dtypes, so that a
        `jax.lax.scan` can carry them.

    Examples:
        >>> import jax.numpy as jnp
        >>> params, state = jnp.array([1.0, -2.0]), (jnp.float32(1024), jnp.int32(1))
        >>> def step(loss, lr):
        ...     new, (scale, good) = loss_scaling(loss, params, state, lr, 3)
        ...     return new.tolist(), float(scale), int(good)
        >>> step(lambda p: (p.astype("float32") ** 2).sum(), 0.25)
        ([0.5, -1.0], 1024.0, 2)

        This slope would be 0 in float16, without a scale:

        >>> step(lambda p: 2.0**-30 * p.astype("float32").sum(), 2.0**30)
        ([0.0, -3.0], 1024.0, 2)

        One of these two slopes overflows, so neither parameter moves:

        >>> step(lambda p: 1e38 * p[0].astype("float32") + p[1].astype("float32"), 0.25)
        ([1.0, -2.0], 512.0, 0)

    Details:
        Only the gradients decide: neither the loss nor a parameter has to be finite. Each number in
        the gradients is checked separately, so it doesn't matter whether their sum is finite.
    """
    # TODO: differentiate the scaled loss, then choose between a step and no step.
    raise NotImplementedError
