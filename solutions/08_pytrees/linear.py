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
        """The children, which JAX may trace, and the metadata, which it doesn't change."""
        return (self.w, self.b), self.activation

    @classmethod
    def tree_unflatten(cls, activation, children):
        """A layer with these children and the same activation."""
        return cls(*children, activation)
