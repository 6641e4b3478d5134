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
# Do: Register the class with JAX, and specify which attributes are children.
# Breaks: Details 3
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
# Breaks: Details 3
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
# Breaks: Details 3
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
# Breaks: Details 2
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
# The class stores the activation, so it isn't metadata: another one compiles no new program.
# Do: Keep the activation in each layer, and return it as metadata.
# Breaks: Details 5
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
# Flattening returns (w, b), but unflattening reads them as (b, w).
# Do: Unflatten in the order in which you flatten.
# Breaks: Details 3
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
# Breaks: Details 3
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
# Breaks: Details 1
# Fails: test_a_layer_can_be_called, test_it_goes_through_transformations,
# test_new_parameters_are_not_traced_again, test_another_activation_is_another_program, test_details
def call(self, x):
    return self.activation(x @ self.w) + self.b


Linear.__call__ = call


# %% constructor_converts
# The constructor converts its arguments to arrays, and unflattening calls it.
# Do: Store the constructor's arguments unchanged. JAX also calls it with things other than arrays.
# Breaks: Details 6
# Fails: test_details
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = jnp.asarray(w), jnp.asarray(b), activation


# %% constructor_checks
# The constructor checks shapes, and fails on stacked layers and on leaves that aren't arrays.
# Do: Don't check in the constructor. JAX also calls it with other shapes.
# Breaks: Details 6
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
# Breaks: Details 4
# Fails: test_new_parameters_are_not_traced_again
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (self.w, self.b), self

    @classmethod
    def tree_unflatten(cls, layer, children):
        return cls(*children, layer.activation)


# %% new_wrapper_each_time
# Each flattening wraps the activation again, and no two wrappers are equal: every call is traced.
# Do: Return the activation itself, not a new object around it.
# Breaks: Details 4
# Fails: test_new_parameters_are_not_traced_again
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (self.w, self.b), functools.partial(self.activation)


# %% once missed
import numpy as np


# %% activation_by_another_name
# The activation is stored as `f`.
# Breaks: Details 2
# Fails: test_its_leaves_are_its_parameters
@jax.tree_util.register_dataclass
@dataclass
class Linear:
    w: Any
    b: Any
    f: Any = field(metadata={"static": True})

    def __call__(self, x):
        return self.f(x @ self.w + self.b)


# %% all_activations_equal
# The activation's wrapper equals any other one, so the first program is used for all.
# Breaks: Details 5
# Fails: test_another_activation_is_another_program
Linear = layer_with_equal(lambda function: None)


# %% name_as_metadata
# The metadata is the name of the activation, and all lambdas have the same name.
# Breaks: Details 5
# Fails: test_another_activation_is_another_program
named = {}


@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, activation
        named[activation.__name__] = activation

    def tree_flatten(self):
        return (self.w, self.b), self.activation.__name__

    @classmethod
    def tree_unflatten(cls, name, children):
        return cls(*children, named[name])


# %% one_row_is_one_input
# One input becomes a batch of one, and a batch of one loses its axis.
# Breaks: Details 1
# Fails: test_a_layer_can_be_called
def call(self, x):
    rows = self.activation(jnp.atleast_2d(x) @ self.w + self.b)
    return rows[0] if len(rows) == 1 else rows


Linear.__call__ = call


# %% removed_type
# `jnp.DeviceArray`, which old tutorials use in annotations, was removed from JAX.
# Breaks: Details 1
# Fails: test_a_layer_can_be_called, test_its_leaves_are_its_parameters,
# test_it_goes_through_transformations, test_new_parameters_are_not_traced_again,
# test_another_activation_is_another_program, test_details
class Linear(NamedTuple):
    w: jnp.DeviceArray
    b: jnp.DeviceArray
    activation: Any

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)


# %% numpy_becomes_jax
# Anything made by NumPy is converted, even when JAX rebuilds a layer.
# Breaks: Details 6
# Fails: test_details
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b = (jnp.asarray(x) if isinstance(x, np.ndarray) else x for x in (w, b))
        self.activation = activation


# %% input_without_gradient
# The input is treated as a constant, so the layers before this one learn nothing.
# Breaks: Details 1
# Fails: test_it_goes_through_transformations
def call(self, x):
    return self.activation(jax.lax.stop_gradient(x) @ self.w + self.b)


Linear.__call__ = call


# %% lists_become_arrays
# Nested lists and tuples are converted, but shapes are also tuples.
# Breaks: Details 6
# Fails: test_details
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b = (np.array(x) if isinstance(x, list | tuple) else x for x in (w, b))
        self.activation = activation


# %% product_in_float32
# The product is always float32, so a half-precision layer returns another dtype than it takes.
# Breaks: Details 7
# Fails: test_details
def call(self, x):
    return self.activation(jnp.matmul(x, self.w, preferred_element_type=jnp.float32) + self.b)


Linear.__call__ = call


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
}
