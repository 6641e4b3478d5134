"""Wrong answers to linear; each cell is a suffix to the solution."""

import functools
import weakref
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


# %% activation_as_child
# All three are children, so JAX tries to trace the function like an array.
# At most half of the points.
# Fails: test_its_leaves_are_its_parameters, test_a_mapped_layer_is_a_layer,
# test_leaves_may_be_anything, test_it_goes_through_jit_and_grad,
# test_a_stack_of_layers_can_be_mapped_and_scanned, test_new_parameters_are_not_traced_again,
# test_another_activation_is_another_program
class Linear(NamedTuple):
    w: Any
    b: Any
    activation: Any

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)


# %% activation_lost
# Unflattening loses the activation, so every transformed layer has none.
# Fails: test_a_mapped_layer_is_a_layer, test_it_goes_through_jit_and_grad,
# test_a_stack_of_layers_can_be_mapped_and_scanned, test_new_parameters_are_not_traced_again,
# test_another_activation_is_another_program, test_leaves_may_be_anything,
# test_its_leaves_are_its_parameters
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


# %% activation_by_row
# One input is done at a time, so the activation never sees the batch.
# Fails: test_a_layer_can_be_called
def call(self, x):
    return jax.vmap(self)(x) if x.ndim == 2 else self.activation(x @ self.w + self.b)


Linear.__call__ = call


# %% activation_by_another_name
# The activation is kept as `f`.
# Fails: test_its_leaves_are_its_parameters, test_leaves_may_be_anything
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


# %% bias_forgotten
# The bias is metadata, like the activation, and isn't a leaf.
# Fails: test_its_leaves_are_its_parameters, test_a_mapped_layer_is_a_layer,
# test_leaves_may_be_anything, test_it_goes_through_jit_and_grad,
# test_a_stack_of_layers_can_be_mapped_and_scanned, test_new_parameters_are_not_traced_again
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (self.w,), (self.b, self.activation)

    @classmethod
    def tree_unflatten(cls, metadata, children):
        return cls(*children, *metadata)


# %% bias_last
# The activation comes before the bias.
# Fails: test_a_layer_can_be_called, test_a_mapped_layer_is_a_layer,
# test_it_goes_through_jit_and_grad, test_a_stack_of_layers_can_be_mapped_and_scanned,
# test_new_parameters_are_not_traced_again, test_another_activation_is_another_program,
# test_leaves_may_be_anything
def call(self, x):
    return self.activation(x @ self.w) + self.b


Linear.__call__ = call


# %% children_swapped
# Flattening returns (w, b), and unflattening reads them as (b, w).
# Fails: test_a_mapped_layer_is_a_layer, test_leaves_may_be_anything,
# test_it_goes_through_jit_and_grad, test_a_stack_of_layers_can_be_mapped_and_scanned,
# test_new_parameters_are_not_traced_again, test_another_activation_is_another_program
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    @classmethod
    def tree_unflatten(cls, activation, children):
        b, w = children
        return cls(w, b, activation)


# %% constructor_checks
# The constructor checks shapes, and fails on stacked layers and on leaves that aren't arrays.
# Fails: test_leaves_may_be_anything, test_it_goes_through_jit_and_grad,
# test_a_stack_of_layers_can_be_mapped_and_scanned
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


# %% constructor_converts
# The constructor converts what it gets to arrays, and unflattening calls it.
# Fails: test_leaves_may_be_anything
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = jnp.asarray(w), jnp.asarray(b), activation


# %% everything_static
# All three are metadata: there are no leaves, and arrays can't be compared with ==.
# At most half of the points.
# Fails: test_its_leaves_are_its_parameters, test_a_mapped_layer_is_a_layer,
# test_leaves_may_be_anything, test_it_goes_through_jit_and_grad,
# test_a_stack_of_layers_can_be_mapped_and_scanned, test_new_parameters_are_not_traced_again
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (), (self.w, self.b, self.activation)

    @classmethod
    def tree_unflatten(cls, metadata, _):
        return cls(*metadata)


# %% layer_as_metadata
# The layer is its own metadata, and no two layers are equal: every call is traced.
# Fails: test_new_parameters_are_not_traced_again, test_leaves_may_be_anything
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (self.w, self.b), self

    @classmethod
    def tree_unflatten(cls, layer, children):
        return cls(*children, layer.activation)


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


# %% new_wrapper_each_time
# Each flattening wraps the activation anew, and no two wrappers are equal: every call is traced.
# Fails: test_leaves_may_be_anything, test_new_parameters_are_not_traced_again
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def tree_flatten(self):
        return (self.w, self.b), functools.partial(self.activation)


# %% not_registered
# A plain class: JAX treats the layer as one leaf that isn't an array.
# At most half of the points.
# Fails: test_its_leaves_are_its_parameters, test_a_mapped_layer_is_a_layer,
# test_leaves_may_be_anything, test_it_goes_through_jit_and_grad,
# test_a_stack_of_layers_can_be_mapped_and_scanned, test_new_parameters_are_not_traced_again,
# test_another_activation_is_another_program
class Linear:
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, activation

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)


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
# test_a_mapped_layer_is_a_layer, test_leaves_may_be_anything, test_it_goes_through_jit_and_grad,
# test_a_stack_of_layers_can_be_mapped_and_scanned, test_new_parameters_are_not_traced_again,
# test_another_activation_is_another_program
class Linear(NamedTuple):
    w: jnp.DeviceArray
    b: jnp.DeviceArray
    activation: Any

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)


# %% numpy_becomes_jax
# Whatever NumPy made is converted, also when JAX rebuilds a layer.
# Fails: test_leaves_may_be_anything
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b = (jnp.asarray(x) if isinstance(x, np.ndarray) else x for x in (w, b))
        self.activation = activation


# %% same_code_is_equal
# Activations count as equal if their code is the same, but closures of one code may hold others.
# Fails: test_another_activation_is_another_program
Linear = layer_with_equal(lambda function: getattr(function, "__code__", function))


# %% input_without_gradient
# The input is held constant, so the layers before this one learn nothing.
# Fails: test_it_goes_through_jit_and_grad
def call(self, x):
    return self.activation(jax.lax.stop_gradient(x) @ self.w + self.b)


Linear.__call__ = call


# %% rows_in_chunks
# A large batch is done in chunks, so the activation never sees all of it.
# Fails: test_a_layer_can_be_called
def call(self, x):
    if x.ndim == 2 and len(x) > 1024:
        return jnp.concatenate([self(x[k : k + 1024]) for k in range(0, len(x), 1024)])
    return self.activation(x @ self.w + self.b)


Linear.__call__ = call


# %% lists_become_arrays
# Nested lists and tuples are converted, and shapes are tuples, too.
# Fails: test_leaves_may_be_anything
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b = (np.array(x) if isinstance(x, list | tuple) else x for x in (w, b))
        self.activation = activation


# %% jitted_activation
# The attribute is a compiled copy of the activation.
# Fails: test_leaves_may_be_anything
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    compiled = functools.cache(jax.jit)

    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, Linear.compiled(activation)

    def tree_flatten(self):
        return (self.w, self.b), self.activation.__wrapped__


# %% initialisers_called
# Whatever can be called is called to make a parameter, also when JAX rebuilds a layer.
# Fails: test_leaves_may_be_anything
@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b = (x() if callable(x) else x for x in (w, b))
        self.activation = activation


# %% shapes_become_zeros
# An array is made of each shape and dtype, but JAX puts them into layers, too.
# Fails: test_leaves_may_be_anything
def made(x):
    return jnp.zeros(x.shape, x.dtype) if isinstance(x, jax.ShapeDtypeStruct) else x


@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = made(w), made(b), activation


# %% one_output_at_a_time
# In a batch the activation sees one output at a time, and softmax needs all of them.
# Fails: test_a_layer_can_be_called
def call(self, x):
    y = x @ self.w + self.b
    if y.ndim == 2:
        return jax.vmap(self.activation, in_axes=1, out_axes=1)(y)
    return self.activation(y)


Linear.__call__ = call


# %% defaults_ignored
# Activations count as equal if their code and what they close over are, whatever their defaults.
# Fails: test_another_activation_is_another_program
def code_and_cells(function):
    cells = getattr(function, "__closure__", None) or ()
    return getattr(function, "__code__", function), tuple(cell.cell_contents for cell in cells)


Linear = layer_with_equal(code_and_cells)


# %% weakly_held
# The metadata is a number. If a jitted function makes the activation, it is gone afterwards.
# Fails: test_it_goes_through_jit_and_grad, test_new_parameters_are_not_traced_again
known = weakref.WeakValueDictionary()


@jax.tree_util.register_pytree_node_class
class Linear(Linear):
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, activation
        known[id(activation)] = activation

    def tree_flatten(self):
        return (self.w, self.b), id(self.activation)

    @classmethod
    def tree_unflatten(cls, number, children):
        return cls(*children, known[number])


# %% product_in_float32
# The product is always float32, so a layer of half precision returns another dtype than it takes.
# Fails: test_a_stack_of_layers_can_be_mapped_and_scanned
def call(self, x):
    return self.activation(jnp.matmul(x, self.w, preferred_element_type=jnp.float32) + self.b)


Linear.__call__ = call


# %% compared_by_identity
# Activations count as equal if they are one object, but a method is a new one at each look-up.
# Fails: test_new_parameters_are_not_traced_again
Linear = layer_with_equal(id)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
}
