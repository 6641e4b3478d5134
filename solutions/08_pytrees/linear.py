"""Reference solution: two children, and the activation as metadata."""

from collections.abc import Callable
from typing import Any

import jax


@jax.tree_util.register_pytree_node_class
class Linear:
    """A dense layer."""

    def __init__(
        self, w: jax.Array, b: jax.Array, activation: Callable[[jax.Array], jax.Array]
    ) -> None:
        self.w = w
        self.b = b
        self.activation = activation

    def __call__(self, x: jax.Array) -> Any:
        """One input, or a batch of them in rows."""
        return self.activation(x @ self.w + self.b)

    def tree_flatten(self):
        """What JAX may trace, and what it takes as it is."""
        return (self.w, self.b), self.activation

    @classmethod
    def tree_unflatten(cls, activation, children):
        """The same layer around other children."""
        return cls(*children, activation)
