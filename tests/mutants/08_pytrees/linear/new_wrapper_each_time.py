"""The activation is wrapped at each flattening, and no two wrappers are equal: it always traces.

Fails: test_new_parameters_are_not_traced_again
"""

import functools

import jax


@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, activation

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)

    def tree_flatten(self):
        return (self.w, self.b), functools.partial(self.activation)

    @classmethod
    def tree_unflatten(cls, activation, children):
        return cls(*children, activation)
