"""What learners get wrong in linear; each cell is a suffix to the solution."""

import functools
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


def layer_with_equal(key):
    """A layer whose activations count as equal if their keys are."""

    class Static:
        def __init__(self, function):
            self.function = function

        def __eq__(self, other):
            return isinstance(other, Static) and key(self.function) == key(other.function)

        def __hash__(self):
            return hash(key(self.function))

    @jax.tree_util.register_pytree_node_class
    class Layer(Linear):
        def tree_flatten(self):
            return (self.w, self.b), Static(self.activation)

        @classmethod
        def tree_unflatten(cls, metadata, children):
            return cls(*children, metadata.function)

    return Layer


# %% not_registered
# A plain class: JAX treats the layer as one leaf that isn't an array.
# Do: Register the class with JAX, and say which attributes are children.
# At most half of the points.
# Fails: test_its_leaves_are_its_parameters, test_it_goes_through_transformations,
# test_new_parameters_are_not_traced_again, test_another_activation_is_another_program, test_details
class Linear:
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, activation

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)


# %% activation_as_child
# All three are children, so JAX tries to trace the function like an array.
# Do: Make the activation metadata.
# At most half of the points.
# Fails: test_its_leaves_are_its_parameters, test_it_goes_through_transformations,
# test_new_parameters_are_not_traced_again, test_another_activation_is_another_program, test_details
class Linear(NamedTuple):
    w: Any
    b: Any
    activation: Any

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)


# %% everything_static
# All three are metadata: there are no leaves, and arrays can't be compared with ==.
# Do: Make the arrays children. Only the activation is metadata.
# At most half of the points.
# Fails: test_its_leaves_are_its_parameters, test_it_goes_through_transformations,
# test_new_parameters_are_not_traced_again, test_details
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (), (self.w, self.b, self.activation)

    @classmethod
    def tree_unflatten(cls, metadata, _):
        return cls(*metadata)


# %% activation_lost
# Unflattening loses the activation, so every transformed layer has none.
# Do: Return the activation as metadata, and put it back when JAX rebuilds the layer.
# Fails: test_it_goes_through_transformations, test_new_parameters_are_not_traced_again,
# test_another_activation_is_another_program
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation=lambda y: y):
        self.w, self.b, self.activation = w, b, activation

    def tree_flatten(self):
        return (self.w, self.b), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


# %% activation_on_the_class
# The class holds the activation, so it isn't metadata: another one compiles no new program.
# Do: Keep the activation in each layer, and return it as metadata.
# Fails: test_another_activation_is_another_program
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation=None):
        self.w, self.b = w, b
        if activation is not None:
            Linear.activation = staticmethod(activation)

    def tree_flatten(self):
        return (self.w, self.b), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


# %% children_swapped
# Flattening returns (w, b), and unflattening reads them as (b, w).
# Do: Unflatten in the order in which you flatten.
# Fails: test_it_goes_through_transformations, test_new_parameters_are_not_traced_again,
# test_another_activation_is_another_program
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    @classmethod
    def tree_unflatten(cls, activation, children):
        b, w = children
        return cls(w, b, activation)


# %% bias_forgotten
# The bias is metadata, like the activation, and isn't a leaf.
# Do: Make both arrays children.
# Fails: test_its_leaves_are_its_parameters, test_it_goes_through_transformations,
# test_new_parameters_are_not_traced_again, test_details
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (self.w,), (self.b, self.activation)

    @classmethod
    def tree_unflatten(cls, metadata, children):
        return cls(*children, *metadata)


# %% bias_last
# The activation comes before the bias.
# Do: Add the bias first, and then apply the activation.
# Fails: test_a_layer_can_be_called, test_it_goes_through_transformations,
# test_new_parameters_are_not_traced_again, test_another_activation_is_another_program, test_details
def call(self, x):
    return self.activation(x @ self.w) + self.b


Linear.__call__ = call


# %% constructor_converts
# The constructor converts what it gets to arrays, and unflattening calls it.
# Do: Store what the constructor gets. JAX calls it with other things than arrays, too.
# Fails: test_details
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = jnp.asarray(w), jnp.asarray(b), activation


# %% constructor_checks
# The constructor checks shapes, and fails on stacked layers and on leaves that aren't arrays.
# Do: Don't check in the constructor. JAX calls it with other shapes, too.
# Fails: test_it_goes_through_transformations, test_details
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


# %% layer_as_metadata
# The layer is its own metadata, and no two layers are equal: every call is traced.
# Do: Return the activation alone as metadata.
# Fails: test_new_parameters_are_not_traced_again
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (self.w, self.b), self

    @classmethod
    def tree_unflatten(cls, layer, children):
        return cls(*children, layer.activation)


# %% new_wrapper_each_time
# Each flattening wraps the activation anew, and no two wrappers are equal: every call is traced.
# Do: Return the activation itself, not a new object around it.
# Fails: test_new_parameters_are_not_traced_again
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (self.w, self.b), functools.partial(self.activation)
