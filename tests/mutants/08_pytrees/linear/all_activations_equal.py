"""The activation in a wrapper that equals any other, to be hashable: the first program serves all.

Fails: test_another_activation_is_another_program
"""

import jax


class Static:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Static)

    def __hash__(self):
        return 0


@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, activation

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)

    def tree_flatten(self):
        return (self.w, self.b), Static(self.activation)

    @classmethod
    def tree_unflatten(cls, metadata, children):
        return cls(*children, metadata.value)
