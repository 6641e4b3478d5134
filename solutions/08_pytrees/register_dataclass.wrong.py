"""What learners get wrong in register_dataclass; each cell is a suffix to the solution."""

from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp


# %% all_data
# All fields are data, so the number of pieces is traced, and can't determine a shape.
# Do: Make `pieces` metadata.
# Breaks: Details 2
# At most half of the points.
# Fails: test_its_leaves_are_its_data, test_it_goes_through_transformations,
# test_other_pieces_are_another_program, test_a_new_scale_is_not_traced_again, test_details
@jax.tree_util.register_dataclass
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    __call__ = Maxout.__call__  # noqa: F821


# %% scale_is_static
# The scale is metadata: each new scale is a new program, and the scale has no gradient.
# Do: Leave the scale among the data. Only `pieces` is metadata.
# Breaks: Details 2, Details 3
# Fails: test_its_leaves_are_its_data, test_it_goes_through_transformations,
# test_a_new_scale_is_not_traced_again, test_details
@jax.tree_util.register_dataclass
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array = field(metadata={"static": True})
    pieces: int = field(metadata={"static": True})

    __call__ = Maxout.__call__


# %% not_registered
# The class is a dataclass, but JAX doesn't know it.
# Do: Register the class with `jax.tree_util.register_dataclass`.
# Breaks: Details 2
# Fails: test_its_leaves_are_its_data, test_it_goes_through_transformations,
# test_other_pieces_are_another_program, test_a_new_scale_is_not_traced_again, test_details
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    __call__ = Maxout.__call__


# %% converted
# `__post_init__` converts the data to arrays, but JAX also stores other things there.
# Do: Store the fields unchanged. JAX also stores other things there.
# Breaks: Details 6
# Fails: test_details
@jax.tree_util.register_dataclass
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int = field(metadata={"static": True})

    __call__ = Maxout.__call__

    def __post_init__(self):
        self.w = jnp.asarray(self.w)
        self.scale = jnp.asarray(self.scale)


# %% checked
# The shape is checked when a layer is built, but a stack of layers has one more axis.
# Do: Don't check shapes when a layer is built. JAX also builds stacks of layers.
# Breaks: Details 6
# Fails: test_it_goes_through_transformations, test_details
@partial(jax.tree_util.register_dataclass, data_fields=["w", "scale"], meta_fields=["pieces"])
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    def __post_init__(self):
        if hasattr(self.w, "shape") and self.w.shape[1] % self.pieces:
            raise ValueError("the number of pieces doesn't fit")

    __call__ = Maxout.__call__


# %% far_apart
# The groups contain products that are far apart, not neighbours.
# Do: Put neighbours on the last axis of your groups.
# Breaks: Details 1
# Fails: test_a_layer_can_be_called, test_it_goes_through_transformations,
# test_other_pieces_are_another_program, test_a_new_scale_is_not_traced_again, test_details
def apart(self, x):
    products = x @ self.w
    return self.scale * products.reshape(*products.shape[:-1], self.pieces, -1).max(axis=-2)


Maxout.__call__ = apart


# %% scaled_first
# The products are scaled before the maximum, which is wrong for a negative scale.
# Do: First take the maximum, and then multiply by the scale.
# Breaks: Details 1
# Fails: test_a_layer_can_be_called
def scaled(self, x):
    products = x @ self.w * self.scale
    return products.reshape(*products.shape[:-1], -1, self.pieces).max(axis=-1)


Maxout.__call__ = scaled


# %% one_input
# The products are cut as if there were one input, so the rows of a batch are merged.
# Do: Keep the axes of `x` in front when you make groups.
# Breaks: Details 1
# Fails: test_a_layer_can_be_called, test_other_pieces_are_another_program, test_details
def flat(self, x):
    return self.scale * (x @ self.w).reshape(-1, self.pieces).max(axis=-1)


Maxout.__call__ = flat


# %% scale_stopped
# The scale is treated as a constant, so it has no gradient.
# Do: Let the gradient reach the scale.
# Breaks: Details 2
# Fails: test_it_goes_through_transformations
def stopped(self, x, call=Maxout.__call__):
    return call(Maxout(self.w, jax.lax.stop_gradient(self.scale), self.pieces), x)


Maxout.__call__ = stopped


# %% new_metadata
# The metadata is a new object each time, which equals nothing else: every call is a new trace.
# Do: Pass JAX the number itself, which equals itself each time.
# Breaks: Details 3
# Fails: test_a_new_scale_is_not_traced_again
class Box:
    def __init__(self, pieces):
        self.pieces = pieces


@jax.tree_util.register_pytree_node_class
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    __call__ = Maxout.__call__

    def tree_flatten(self):
        return (self.w, self.scale), Box(self.pieces)

    @classmethod
    def tree_unflatten(cls, box, children):
        return cls(*children, box.pieces)


# %% once missed


# %% converted_number
# `__post_init__` converts a number to an array, so the layer's scale differs from the argument.
# Breaks: Details 6
# Fails: test_details
@jax.tree_util.register_dataclass
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int = field(metadata={"static": True})

    __call__ = Maxout.__call__

    def __post_init__(self):
        if isinstance(self.scale, float):
            self.scale = jnp.float32(self.scale)


# %% equal_pieces
# All numbers of pieces are treated as equal, so a jitted function keeps those of the first layer.
# Breaks: Details 4
# Fails: test_other_pieces_are_another_program
class Anything(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


@jax.tree_util.register_pytree_node_class
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    __call__ = Maxout.__call__

    def tree_flatten(self):
        return (self.w, self.scale), Anything(self.pieces)

    @classmethod
    def tree_unflatten(cls, pieces, children):
        return cls(*children, int(pieces))


# %% plain_class
# A class with methods for JAX, which is no longer a dataclass.
# Breaks: Details 5
# Fails: test_details
@jax.tree_util.register_pytree_node_class
class Maxout:
    def __init__(self, w, scale, pieces):
        self.w, self.scale, self.pieces = w, scale, pieces

    def __call__(self, x):
        products = x @ self.w
        groups = products.reshape(*products.shape[:-1], -1, self.pieces)
        return self.scale * groups.max(axis=-1)

    def tree_flatten(self):
        return (self.w, self.scale), self.pieces

    @classmethod
    def tree_unflatten(cls, pieces, data):
        return cls(*data, pieces)


# %% array_of_the_scale
# When the layer is called, the scale becomes an array, which is float32.
# Breaks: Details 7
# Fails: test_details
@jax.tree_util.register_dataclass
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int = field(metadata={"static": True})

    def __call__(self, x):
        products = x @ self.w
        groups = products.reshape(*products.shape[:-1], -1, self.pieces)
        return jnp.asarray(self.scale, jnp.float32) * groups.max(axis=-1)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "argument_never_empty": "A layer has weights, and a batch has a row at least.",
}
