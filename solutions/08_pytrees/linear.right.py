"""Other right answers to linear; each cell is a suffix to the solution."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
from jax.tree_util import GetAttrKey


# %% dict_inside
# The one child is a dict of the parameters, read by properties.
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


# %% named_fields
# The dataclass is registered afterwards, with named fields, and its call is jitted.
@dataclasses.dataclass
class Linear:
    w: Any
    b: Any
    activation: Any

    @jax.jit
    def __call__(self, x):
        return self.activation(jnp.dot(x, self.w) + self.b)


jax.tree_util.register_dataclass(Linear, data_fields=["w", "b"], meta_fields=["activation"])


# %% past_the_constructor
# The constructor converts and checks, and unflattening bypasses it.
class Linear:
    def __init__(self, w, b, activation):
        self.w, self.b = jnp.asarray(w), jnp.asarray(b)
        self.activation = activation
        if not callable(activation):
            raise TypeError("the activation can't be called")

    def __call__(self, x):
        return self.activation(jnp.einsum("...i,...io->...o", x, self.w) + self.b)


def flatten(layer):
    return (layer.w, layer.b), layer.activation


def unflatten(activation, children):
    layer = object.__new__(Linear)
    layer.w, layer.b = children
    layer.activation = activation
    return layer


jax.tree_util.register_pytree_node(Linear, flatten, unflatten)


# %% static_field
# A dataclass that declares its static field itself.
@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Linear:
    w: jax.Array
    b: jax.Array
    activation: Callable = field(metadata={"static": True})

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)


# %% with_keys
# The children have names and another order, and the metadata is a tuple.
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


# %% base_class_registers
# A base class registers every subclass, by the annotations of its fields.
class Module:
    def __init_subclass__(cls):
        dataclasses.dataclass(cls)
        arrays = [f.name for f in dataclasses.fields(cls) if f.type is jax.Array]
        others = [f.name for f in dataclasses.fields(cls) if f.type is not jax.Array]
        jax.tree_util.register_dataclass(cls, arrays, others)


class Linear(Module):
    w: jax.Array
    b: jax.Array
    activation: object

    def __call__(self, x):
        return self.activation(jnp.tensordot(x, self.w, axes=1) + self.b)


# %% slots
# A class with slots, whose attributes are copied by name.
class Linear:
    __slots__ = ("activation", "b", "w")

    def __init__(self, w, b, activation):
        for name, value in {"w": w, "b": b, "activation": activation}.items():
            setattr(self, name, value)

    def __call__(self, x):
        return self.activation(
            jnp.vectorize(jnp.vecmat, signature="(i),(i,o)->(o)")(x, self.w) + self.b
        )


jax.tree_util.register_pytree_node(
    Linear,
    lambda layer: ([layer.w, layer.b], layer.activation),
    lambda activation, children: Linear(*children, activation),
)


# %% static_child
# The activation is a child without leaves, of a class that is registered as static.
@jax.tree_util.register_static
@dataclasses.dataclass(frozen=True)
class Static:
    value: object


@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b, activation):
        self.w, self.b, self._activation = w, b, Static(activation)

    @property
    def activation(self):
        return self._activation.value

    def __call__(self, x):
        return self.activation(jnp.add(x @ self.w, self.b))

    def tree_flatten(self):
        return (self.w, self.b, self._activation), None

    @classmethod
    def tree_unflatten(cls, _, children):
        layer = super().__new__(cls)
        layer.w, layer.b, layer._activation = children
        return layer
