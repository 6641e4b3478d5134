"""Change the learning rate during a training.

Optax, Optimizer Schedules: https://optax.readthedocs.io/en/latest/api/optimizer_schedules.html
"""

from collections.abc import Callable
from typing import Any

import jax


def warmup_cosine(
    peak: float, warmup: int, total: int
) -> tuple[Callable[[int | jax.Array], jax.Array], Any]:
    """Return a schedule of learning rates, and an optimiser that uses it.

    Most large models are trained like this: the learning rate rises for some steps, since the
    averages of the optimiser are poor at first. Then it falls slowly, along half a period of a
    cosine. In Optax such a schedule is a function: it gets the number of a step and returns a rate.
    `optax.warmup_cosine_decay_schedule` makes it. Look up which steps its `decay_steps` counts. An
    optimiser takes a schedule in place of a number. It counts its own updates, from 0, and the
    count is in its state.

    Args:
        peak: the largest rate, a Python float above 0.
        warmup: the number of steps in which the rate rises, a Python int, 0 or more.
        total: the step at which the rate has its last value, a Python int above `warmup`.

    Returns:
        (schedule, optimiser):

        schedule(step) is a float32 scalar. `step` is an int or an int32 scalar, 0 or more. The rate
        is peak * step / warmup up to step `warmup`. From there it falls to peak / 10 at step
        `total`: it is end + (peak - end) * (1 + cos(pi * p)) / 2. Here end is peak / 10, and p is
        (step - warmup) / (total - warmup). From `total` on, the rate is peak / 10.

        optimiser has two functions, `init` and `update`, as each optimiser of Optax. It is plain
        gradient descent: the update number k, counted from 0, is -schedule(k) times the gradient.
        Its state knows k.

    Examples:
        >>> import jax.numpy as jnp
        >>> schedule, optimiser = warmup_cosine(0.5, 2, 6)
        >>> [round(float(schedule(step)), 3) for step in range(8)]
        [0.0, 0.25, 0.5, 0.434, 0.275, 0.116, 0.05, 0.05]

        Each update moves x by the rate of its step:

        >>> x, gradient, seen = jnp.array(1.0), jnp.array(1.0), []
        >>> state = optimiser.init(x)
        >>> for step in range(4):
        ...     update, state = optimiser.update(gradient, state, x)
        ...     x = x + update
        ...     seen.append(round(float(x), 3))
        >>> seen
        [1.0, 0.75, 0.25, -0.184]

    Details:
        With warmup = 0 the first rate is the peak. The parameters may be any pytree of float32
        arrays. Both functions work under `jit`, `vmap` and `lax.scan`, where the step is traced.
    """
    # TODO: make the schedule, and an optimiser that gets it as its learning rate.
    raise NotImplementedError
