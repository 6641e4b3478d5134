"""The constructor checks shapes, which stacked layers and objects in place of leaves don't have.

Fails: test_leaves_may_be_anything, test_a_stack_of_layers_can_be_mapped_and_scanned
"""

from dataclasses import dataclass, field
from typing import Any

import jax


@jax.tree_util.register_dataclass
@dataclass
class Linear:
    w: Any
    b: Any
    activation: Any = field(metadata={"static": True})

    def __post_init__(self):
        if self.w.shape[1:] != self.b.shape:
            raise ValueError(f"w is {self.w.shape} and b is {self.b.shape}")

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)
