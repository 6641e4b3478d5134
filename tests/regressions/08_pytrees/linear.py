"""What the suite of linear once missed; each cell is a suffix to the solution.

Not noticed any more: numbers that are tiny, huge, NaN or infinite, and gradients at 0,
since the text names no limit and no repair.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


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


# %% activation_by_another_name
# The activation is kept as `f`.
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
# Fails: test_another_activation_is_another_program
Linear = layer_with_equal(lambda function: None)


# %% name_as_metadata
# The metadata is the name of the activation, and all lambdas have the same name.
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
# One input becomes a batch of one, and a batch of one loses its axis again.
# Fails: test_a_layer_can_be_called
def call(self, x):
    rows = self.activation(jnp.atleast_2d(x) @ self.w + self.b)
    return rows[0] if len(rows) == 1 else rows


Linear.__call__ = call


# %% removed_type
# `jnp.DeviceArray`, which old tutorials use in annotations, was removed from JAX.
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
# Whatever NumPy made is converted, also when JAX rebuilds a layer.
# Fails: test_details
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b = (jnp.asarray(x) if isinstance(x, np.ndarray) else x for x in (w, b))
        self.activation = activation


# %% input_without_gradient
# The input is held constant, so the layers before this one learn nothing.
# Fails: test_it_goes_through_transformations
def call(self, x):
    return self.activation(jax.lax.stop_gradient(x) @ self.w + self.b)


Linear.__call__ = call


# %% lists_become_arrays
# Nested lists and tuples are converted, and shapes are tuples, too.
# Fails: test_details
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b = (np.array(x) if isinstance(x, list | tuple) else x for x in (w, b))
        self.activation = activation


# %% product_in_float32
# The product is always float32, so a layer of half precision returns another dtype than it takes.
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
