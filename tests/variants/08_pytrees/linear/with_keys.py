"""Children that know their names, in the other order, and metadata in a tuple."""

import jax
from jax.tree_util import GetAttrKey


@jax.tree_util.register_pytree_with_keys_class
class Linear:
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, activation

    def __call__(self, x):
        return self.activation(self.b + x @ self.w)

    def tree_flatten_with_keys(self):
        children = ((GetAttrKey("b"), self.b), (GetAttrKey("w"), self.w))
        return children, (self.activation,)

    @classmethod
    def tree_unflatten(cls, metadata, children):
        b, w = children
        return cls(w, b, *metadata)
