"""One child, a dict of the parameters, behind properties."""

import jax


@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b, activation):
        self._params = {"w": w, "b": b}
        self.activation = activation

    w = property(lambda self: self._params["w"])
    b = property(lambda self: self._params["b"])

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)

    def tree_flatten(self):
        return (self._params,), self.activation

    @classmethod
    def tree_unflatten(cls, activation, children):
        layer = object.__new__(cls)
        (layer._params,) = children
        layer.activation = activation
        return layer
