"""A dataclass whose static field says so itself."""

from collections.abc import Callable
from dataclasses import dataclass, field

import jax


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Linear:
    w: jax.Array
    b: jax.Array
    activation: Callable = field(metadata={"static": True})

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)
