"""Wrong answers to tree_stats; each cell is a suffix to the solution."""

import dataclasses
import math

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


# %% arrays_only
# Every leaf is expected to be an array with a size.
# Fails: test_scalars_are_leaves_of_one_parameter, test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum((leaf.astype(jnp.float32) ** 2).sum() for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% each_object_once
# A leaf that occurs at two places counts once, as PyTorch counts tied parameters.
# Fails: test_scalars_are_leaves_of_one_parameter
def tree_stats(tree):
    unique = {id(leaf): leaf for leaf in jax.tree.leaves(tree)}
    leaves = [jnp.asarray(leaf, jnp.float32) for leaf in unique.values()]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(leaf)) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% half_precision
# Integers become floats, but half precision is squared and added as it is.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = [jnp.asarray(leaf) * 1.0 for leaf in jax.tree.leaves(tree)]
    squares = sum(jnp.sum(leaf**2) for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)


# %% integer_squares
# Floats are squared in float32, but integers in their own dtype, which overflows.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    squares = 0
    for leaf in leaves:
        wide = leaf.astype(jnp.float32) if jnp.issubdtype(leaf.dtype, jnp.floating) else leaf
        squares += jnp.vdot(wide, wide)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)


# %% joined_in_one_dtype
# All leaves are joined first, so large integers are rounded to the half precision of another leaf.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    everything, _ = ravel_pytree(tree)
    norm = jnp.linalg.norm(everything.astype(jnp.float32))
    return len(jax.tree.leaves(tree)), everything.size, norm


# %% known_containers
# A recursion with a case for each container of Python's own.
# Fails: test_tuples_are_branches, test_registered_classes_are_branches
def leaves_in(tree):
    if isinstance(tree, dict):
        return leaves_in(list(tree.values()))
    if isinstance(tree, list | tuple):
        return [leaf for child in tree for leaf in leaves_in(child)]
    return [] if tree is None else [jnp.asarray(tree)]


def tree_stats(tree):
    leaves = leaves_in(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% length_for_size
# `len` of an array is its first axis, not its number of elements.
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches,
# test_registered_classes_are_branches, test_every_axis_counts,
# test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(len(leaf) if jnp.ndim(leaf) else 1 for leaf in leaves), norm


# %% lists_and_dicts_only
# A recursion that takes every tuple for a shape and skips it.
# At most half of the points.
# Fails: test_none_is_no_leaf, test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches,
# test_registered_classes_are_branches
def leaves_of(tree):
    if isinstance(tree, dict):
        return leaves_of(list(tree.values()))
    if isinstance(tree, list):
        return [leaf for child in tree for leaf in leaves_of(child)]
    return [] if tree is None or isinstance(tree, tuple) else [jnp.asarray(tree)]


def tree_stats(tree):
    leaves = leaves_of(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% no_root
# The square root of the sum of squares is missing.
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches,
# test_registered_classes_are_branches, test_every_axis_counts,
# test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = [jnp.asarray(leaf, jnp.float32) for leaf in jax.tree.leaves(tree)]
    squares = sum((jnp.vdot(leaf, leaf) for leaf in leaves), start=jnp.float32(0))
    return len(leaves), sum(leaf.size for leaf in leaves), squares


# %% none_counted
# None is treated as a leaf and counted.
# At most half of the points.
# Fails: test_none_is_no_leaf, test_tuples_are_branches, test_registered_classes_are_branches,
# test_a_tree_without_leaves_has_norm_zero
def tree_stats(tree):
    leaves = jax.tree.leaves(tree, is_leaf=lambda leaf: leaf is None)
    arrays = [jnp.asarray(0 if leaf is None else leaf, jnp.float32) for leaf in leaves]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(a)) for a in arrays))
    return len(leaves), sum(a.size for a in arrays), norm


# %% nothing_to_join
# All leaves are joined into one vector, which fails without leaves.
# Fails: test_a_tree_without_leaves_has_norm_zero
def tree_stats(tree):
    leaves = [jnp.ravel(leaf).astype(jnp.float32) for leaf in jax.tree.leaves(tree)]
    everything = jnp.concatenate(leaves)
    return len(leaves), everything.size, jnp.linalg.norm(everything)


# %% numbers_left_out
# Leaves that aren't arrays are skipped.
# Fails: test_scalars_are_leaves_of_one_parameter, test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = [leaf for leaf in jax.tree.leaves(tree) if isinstance(leaf, jax.Array)]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% product_of_no_axes
# The size is computed from the shape, and a scalar without axes gives 0.
# Fails: test_scalars_are_leaves_of_one_parameter, test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    sizes = [math.prod(jnp.shape(leaf)) if jnp.ndim(leaf) else 0 for leaf in leaves]
    return len(leaves), sum(sizes), norm


# %% removed_function
# `jax.tree_leaves`, which old tutorials use, was removed from JAX.
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches,
# test_registered_classes_are_branches, test_a_tree_without_leaves_has_norm_zero,
# test_every_axis_counts, test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = jax.tree_leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(jnp.size(leaf) for leaf in leaves), norm


# %% scaled_by_the_largest
# Each leaf is divided by its largest size, but the size of -128 in int8 is -128.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def norm_without_overflow(leaf):
    largest = jnp.max(jnp.abs(leaf), initial=0).astype(jnp.float32)
    usable = (largest > 0) & jnp.isfinite(largest)
    parts = leaf.astype(jnp.float32) / jnp.where(usable, largest, 1)
    return jnp.where(usable, largest * jnp.sqrt(jnp.sum(parts**2)), largest)


def tree_stats(tree):
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    norms = [norm_without_overflow(leaf) for leaf in leaves]
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.linalg.norm(jnp.array(norms))


# %% spectral_norm
# `ord=2` is the length of a vector, but the largest singular value of a matrix.
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches,
# test_registered_classes_are_branches, test_every_axis_counts,
# test_tiny_huge_and_odd_numbers_are_measured
def norm_of(leaf):
    return jnp.linalg.norm(leaf, ord=2) if leaf.ndim == 2 else jnp.sqrt(jnp.sum(leaf**2))


def tree_stats(tree):
    leaves = [jnp.atleast_1d(leaf).astype(float) for leaf in jax.tree.leaves(tree)]
    squares = sum(norm_of(leaf) ** 2 if leaf.size else 0 for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)


# %% sum_of_norms
# The norms of the leaves are added, which is more than the norm of the tree.
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_tuples_are_branches,
# test_registered_classes_are_branches, test_every_axis_counts,
# test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = [jnp.asarray(leaf, jnp.float32) for leaf in jax.tree.leaves(tree)]
    norms = [jnp.sqrt(jnp.sum(leaf**2)) for leaf in leaves]
    return len(leaves), sum(leaf.size for leaf in leaves), sum(norms, start=jnp.zeros(()))


# %% two_axes_at_most
# The size is rows times columns: further axes are ignored.
# Fails: test_every_axis_counts
def size(leaf):
    rows, columns, *_ = (*jnp.shape(leaf), 1, 1)
    return rows * columns


def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(map(size, leaves)), norm


# %% finite_numbers_only
# NaN and infinity are taken for zero, which hides that a training has failed.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = [jnp.nan_to_num(leaf, posinf=0, neginf=0) for leaf in jax.tree.leaves(tree)]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% root_plus_epsilon
# A small number under the root, which is more than the squares of small gradients.
# Fails: test_tiny_huge_and_odd_numbers_are_measured, test_a_tree_without_leaves_has_norm_zero
def tree_stats(tree):
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    squares = sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares + 1e-10)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_without_gradient": "The norm may be a Python float, which has no gradient.",
}


# %% epsilon
# A small number keeps the gradient of the root finite, and the norm of zeros is too large.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree, solution=tree_stats):
    leaves, parameters, norm = solution(tree)
    return leaves, parameters, jnp.sqrt(jnp.square(norm) + 1e-30) if leaves else norm


# %% full_blocks_only
# Long leaves are added up in blocks of 1024 numbers, and the rest after the last block is lost.
# Fails: test_every_axis_counts
def squares_of(leaf):
    squares = jnp.square(jnp.asarray(leaf, jnp.float32)).ravel()
    if squares.size > 1024:
        blocks = squares.size // 1024
        squares = squares[: blocks * 1024].reshape(blocks, 1024).sum(axis=1)
    return jnp.sum(squares)


def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(map(squares_of, leaves), jnp.float32(0)))
    return len(leaves), sum(jnp.size(leaf) for leaf in leaves), norm


# %% fields_of_dataclasses
# A recursion that also knows dataclasses. It counts their metadata, and knows no other class.
# Fails: test_registered_classes_are_branches
def parts(tree):
    if isinstance(tree, dict):
        return parts(list(tree.values()))
    if isinstance(tree, list | tuple):
        return [leaf for child in tree for leaf in parts(child)]
    if dataclasses.is_dataclass(tree):
        return parts([getattr(tree, field.name) for field in dataclasses.fields(tree)])
    return [] if tree is None else [jnp.asarray(tree, jnp.float32)]


def tree_stats(tree):
    leaves = parts(tree)
    norm = jnp.sqrt(sum((jnp.vdot(leaf, leaf) for leaf in leaves), jnp.float32(0)))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% next_wider_integers
# Integers are squared in the next wider dtype: unsigned ones, and sums of squares, don't fit.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def squares_of(leaf):
    wider = {1: jnp.int16, 2: jnp.int32}.get(leaf.dtype.itemsize, jnp.float32)
    is_integer = jnp.issubdtype(leaf.dtype, jnp.integer)
    return jnp.sum(jnp.square(leaf.astype(wider if is_integer else jnp.float32)))


def tree_stats(tree):
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    norm = jnp.sqrt(sum(map(squares_of, leaves), jnp.float32(0)))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% signed_integers
# All integers become int32, which makes large unsigned ones negative, and smaller.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree, solution=tree_stats):
    def signed(leaf):
        leaf = jnp.asarray(leaf)
        return leaf.astype(jnp.int32) if jnp.issubdtype(leaf.dtype, jnp.integer) else leaf

    return solution(jax.tree.map(signed, tree))


# %% ones_are_counted
# The numbers of a leaf are counted by ones of its dtype, and half precision has no 301.
# Fails: test_every_axis_counts
def tree_stats(tree, solution=tree_stats):
    leaves, _, norm = solution(tree)
    counts = [int(jnp.ones_like(leaf).sum()) for leaf in jax.tree.leaves(tree)]
    return leaves, sum(counts), norm


# %% scaled_up
# Floats are made larger for the sake of tiny ones, and the squares of large ones overflow.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def norm_of_scaled(leaf):
    scale = 1e10 if jnp.issubdtype(leaf.dtype, jnp.floating) else 1
    return jnp.sqrt(jnp.sum(jnp.square(leaf.astype(jnp.float32) * scale))) / scale


def tree_stats(tree):
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    norms = [norm_of_scaled(leaf) for leaf in leaves]
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.linalg.norm(jnp.array(norms))


# %% sizes_as_floats
# The sizes are added up in float32, which doesn't hold each number above 2^24.
# Fails: test_every_axis_counts
def tree_stats(tree, solution=tree_stats):
    leaves, _, norm = solution(tree)
    sizes = [jnp.size(leaf) for leaf in jax.tree.leaves(tree)]
    return leaves, int(jnp.sum(jnp.array(sizes, jnp.float32))), norm


# %% counts_are_arrays
# Both counts are JAX arrays, which are no keys of a dict and wrap at 2^31.
# Fails: test_a_network_is_counted_and_measured
def tree_stats(tree, solution=tree_stats):
    leaves, parameters, norm = solution(tree)
    return jnp.asarray(leaves), jnp.asarray(parameters), norm


# %% python_integers
# Only arrays become float32, and the square of a Python integer doesn't fit into int32.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    wide = [leaf.astype(jnp.float32) if isinstance(leaf, jax.Array) else leaf for leaf in leaves]
    squares = sum(jnp.sum(jnp.square(leaf)) for leaf in wide)
    return len(leaves), sum(map(jnp.size, leaves)), jnp.sqrt(squares)


# %% float8_forgotten
# Integers and half precision become float32 before they are squared, but float8 doesn't.
# Fails: test_tiny_huge_and_odd_numbers_are_measured
def widened(leaf):
    leaf = jnp.asarray(leaf)
    is_half = leaf.dtype in (jnp.float16, jnp.bfloat16)
    is_narrow = is_half or jnp.issubdtype(leaf.dtype, jnp.integer)
    return leaf.astype(jnp.float32) if is_narrow else leaf


def tree_stats(tree):
    leaves = [widened(leaf) for leaf in jax.tree.leaves(tree)]
    squares = sum(jnp.sum(jnp.square(leaf), dtype=jnp.float32) for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)
