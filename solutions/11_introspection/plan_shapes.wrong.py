"""What learners get wrong in plan_shapes; each cell is a suffix to the solution."""

import math
from functools import reduce
from operator import mul

import jax
import jax.numpy as jnp
import numpy as np


def plan(init, key):
    return jax.tree.leaves(jax.eval_shape(init, key))


# %% makes_the_model
# The model is created first, and then measured.
# Do: Pass `init` and `key` to `jax.eval_shape`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_no_array_is_made, test_models_are_trees
def plan_shapes(init, key):
    leaves = jax.tree.leaves(init(key))
    return [(leaf.shape, leaf.dtype.name, leaf.nbytes) for leaf in leaves]


# %% result_for_function
# `eval_shape` gets the model itself, so the model is created first.
# Do: Pass the function and its argument to `eval_shape` separately.
# Breaks: Returns 2
# Its examples depend on the machine.
# Fails: test_no_array_is_made, test_models_are_trees
def plan_shapes(init, key):
    leaves = jax.tree.leaves(jax.eval_shape(lambda model: model, init(key)))
    return [(leaf.shape, leaf.dtype.name, leaf.size * leaf.dtype.itemsize) for leaf in leaves]


# %% elements
# The elements are counted, not the bytes.
# Do: Multiply by the bytes of one element, `dtype.itemsize`.
# Breaks: Returns 1
# Fails: test_each_array_has_its_entry, test_no_array_is_made, test_each_dtype_has_its_size,
# test_models_are_trees, test_details
def plan_shapes(init, key):
    return [(leaf.shape, leaf.dtype.name, leaf.size) for leaf in plan(init, key)]


# %% four_bytes
# Each element counts as 4 bytes, regardless of its dtype.
# Do: Use the dtype's bytes per element: `dtype.itemsize`.
# Breaks: Returns 1
# Fails: test_each_dtype_has_its_size
def plan_shapes(init, key):
    return [(leaf.shape, leaf.dtype.name, 4 * leaf.size) for leaf in plan(init, key)]


# %% bits
# Bits are counted, not bytes.
# Do: Multiply by the bytes of one element, `dtype.itemsize`.
# Breaks: Returns 1
# Fails: test_each_array_has_its_entry, test_no_array_is_made, test_each_dtype_has_its_size,
# test_models_are_trees, test_details
def plan_shapes(init, key):
    return [
        (leaf.shape, leaf.dtype.name, 8 * leaf.size * leaf.dtype.itemsize)
        for leaf in plan(init, key)
    ]


# %% too_large_for_int32
# The elements are counted in int32, whose limit is 2,147,483,647.
# Do: Count in Python: `leaf.size`, or `math.prod(leaf.shape)`.
# Breaks: Returns 1
# Fails: test_no_array_is_made, test_models_are_trees
def plan_shapes(init, key):
    return [
        (
            leaf.shape,
            leaf.dtype.name,
            int(np.prod(leaf.shape, dtype=np.int32)) * leaf.dtype.itemsize,
        )
        for leaf in plan(init, key)
    ]


# %% too_large_for_int64
# NumPy multiplies the lengths, and its integers end at 2^63.
# Do: Count in Python: `leaf.size`, or `math.prod(leaf.shape)`.
# Breaks: Returns 1
# Fails: test_no_array_is_made
def plan_shapes(init, key):
    return [
        (leaf.shape, leaf.dtype.name, int(np.prod(leaf.shape)) * leaf.dtype.itemsize)
        for leaf in plan(init, key)
    ]


# %% dtypes_themselves
# The dtype itself is returned, not its name.
# Do: Take the name of each dtype.
# Breaks: Returns 1
# Fails: test_each_array_has_its_entry, test_no_array_is_made, test_each_dtype_has_its_size,
# test_models_are_trees, test_details
def plan_shapes(init, key):
    return [
        (leaf.shape, str(type(leaf.dtype)), leaf.size * leaf.dtype.itemsize)
        for leaf in plan(init, key)
    ]


# %% only_dicts
# Only the values of one dict are listed.
# Do: Get the leaves of any tree from `jax.tree.leaves`.
# Breaks: Returns 1
# Fails: test_models_are_trees, test_details
def plan_shapes(init, key):
    model = jax.eval_shape(init, key)
    leaves = model.values() if isinstance(model, dict) else model
    return [(leaf.shape, leaf.dtype.name, leaf.size * leaf.dtype.itemsize) for leaf in leaves]


# %% at_least_one_axis
# A scalar is treated as an array with one axis.
# Do: Return the shape as it is.
# Breaks: Details 1
# Fails: test_details
def plan_shapes(init, key):
    return [
        (leaf.shape or (1,), leaf.dtype.name, math.prod(leaf.shape) * leaf.dtype.itemsize)
        for leaf in plan(init, key)
    ]


# %% no_length_to_start_from
# The lengths are multiplied by `reduce`, and a scalar has none.
# Do: Use `leaf.size`, or pass `reduce` the initial value 1.
# Breaks: Details 1
# Fails: test_details
def plan_shapes(init, key):
    return [
        (leaf.shape, leaf.dtype.name, reduce(mul, leaf.shape) * leaf.dtype.itemsize)
        for leaf in plan(init, key)
    ]


# %% total
# The bytes of all arrays are added up.
# Do: Return a tuple for each array.
# Breaks: Returns 1
# Fails: test_each_array_has_its_entry, test_no_array_is_made, test_each_dtype_has_its_size,
# test_models_are_trees
def plan_shapes(init, key):
    total = sum(leaf.size * leaf.dtype.itemsize for leaf in plan(init, key))
    return [(leaf.shape, leaf.dtype.name, total) for leaf in plan(init, key)]


# %% zeros
# Arrays of zeros are created just to measure them.
# Do: Compute the bytes from the shape and the dtype.
# Breaks: Returns 2
# Fails: test_no_array_is_made, test_models_are_trees
def plan_shapes(init, key):
    leaves = [jnp.zeros(leaf.shape, leaf.dtype) for leaf in plan(init, key)]
    return [(leaf.shape, leaf.dtype.name, leaf.nbytes) for leaf in leaves]


# %% made_if_it_fits
# Small models are created and measured, but creating them may need more memory.
# Do: Measure the result of `jax.eval_shape`.
# Breaks: Returns 2
# Fails: test_no_array_is_made
def plan_shapes(init, key):
    leaves = plan(init, key)
    if sum(leaf.size for leaf in leaves) < 10**6:
        leaves = jax.tree.leaves(init(key))
    return [(leaf.shape, leaf.dtype.name, leaf.size * leaf.dtype.itemsize) for leaf in leaves]


# %% once missed


# %% none_is_a_leaf
# None is treated as a leaf, but it has no shape.
# Breaks: Details 2
# Fails: test_details
def plan_shapes(init, key):
    model = jax.eval_shape(init, key)
    leaves = jax.tree.leaves(model, is_leaf=lambda leaf: leaf is None)
    return [(leaf.shape, leaf.dtype.name, leaf.size * leaf.dtype.itemsize) for leaf in leaves]
