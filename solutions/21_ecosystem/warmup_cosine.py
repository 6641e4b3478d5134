"""Reference solution: Optax's schedule, as the rate of its descent."""

from collections.abc import Callable
from typing import Any

import jax
import optax


def warmup_cosine(
    peak: float, warmup: int, total: int
) -> tuple[Callable[[int | jax.Array], jax.Array], Any]:
    """The decay includes the warm-up."""
    schedule = optax.warmup_cosine_decay_schedule(
        init_value=0.0,
        peak_value=peak,
        warmup_steps=warmup,
        decay_steps=total,
        end_value=peak / 10,
    )
    return schedule, optax.sgd(schedule)
