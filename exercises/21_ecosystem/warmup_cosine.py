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

    `optax.warmup_cosine_decay_schedule` makes a schedule, which optimisers take as their rate.

    Args:
        peak: the largest rate.
        warmup: for how many steps it rises, an int.
        total: the step of the last rate, above `warmup`.

    Returns:
        (schedule, optimiser), where schedule(step) is peak * step / warmup up to step `warmup`.
        From there, after a share p of the way to `total`, it is end + (peak - end) (1 + cos(pi p))
        / 2, with end = peak / 10. From `total` on it is peak / 10. The optimiser is plain descent:
        update k, counted from 0 in its state, is -schedule(k) times the gradient.

    Examples:
        >>> schedule, optimiser = warmup_cosine(0.5, 2, 6)
        >>> round(float(schedule(4)), 3)
        0.275
        >>> import jax.numpy as jnp
        >>> state = optimiser.init(jnp.ones(1))
        >>> for _ in range(2):
        ...     update, state = optimiser.update(jnp.ones(1), state)
        >>> update.tolist()
        [-0.25]

    Details:
        With warmup = 0 the first rate is the peak. Parameters are any pytree. Works under `jit`,
        `vmap` and `scan`.
    """
    # TODO: make the schedule, and an optimiser that gets it as its learning rate.
    raise NotImplementedError
