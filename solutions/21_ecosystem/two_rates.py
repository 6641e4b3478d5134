"""Reference solution: a label for each layer, and an optimiser for each label."""

from typing import Any

import jax
import optax


def two_rates(slow: float | jax.Array, fast: float | jax.Array) -> Any:
    """A label stands for a whole layer."""
    special = {"embed": "frozen", "head": "fast"}
    optimisers = {
        "slow": optax.adamw(slow, weight_decay=0.01),
        "fast": optax.adamw(fast, weight_decay=0.01),
        "frozen": optax.set_to_zero(),
    }
    return optax.partition(optimisers, lambda params: {n: special.get(n, "slow") for n in params})
