"""What learners get wrong in tree_stats; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% length_for_size
# `len` of an array is its first axis, not its number of elements.
# Do: Count with `size`, which multiplies the lengths of all axes.
# Breaks: Returns 2
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_all_containers_are_branches
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(len(leaf) if jnp.ndim(leaf) else 1 for leaf in leaves), norm


# %% sum_of_norms
# The norms of the leaves are added, which is more than the norm of the tree.
# Do: Sum the squares of all leaves, and take one root at the end.
# Breaks: Returns 4
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_all_containers_are_branches, test_details
def tree_stats(tree):
    leaves = [jnp.asarray(leaf, jnp.float32) for leaf in jax.tree.leaves(tree)]
    norms = [jnp.sqrt(jnp.sum(leaf**2)) for leaf in leaves]
    return len(leaves), sum(leaf.size for leaf in leaves), sum(norms, start=jnp.zeros(()))


# %% no_root
# The square root of the sum of squares is missing.
# Do: Take the root of the sum at the end.
# Breaks: Returns 4
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_all_containers_are_branches, test_details
def tree_stats(tree):
    leaves = [jnp.asarray(leaf, jnp.float32) for leaf in jax.tree.leaves(tree)]
    squares = sum((jnp.vdot(leaf, leaf) for leaf in leaves), start=jnp.float32(0))
    return len(leaves), sum(leaf.size for leaf in leaves), squares


# %% removed_function
# `jax.tree_leaves`, which old tutorials use, was removed from JAX.
# Do: Use `jax.tree.leaves`, its current name.
# Breaks: Returns 1
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_all_containers_are_branches,
# test_a_tree_without_leaves_has_norm_zero, test_details
def tree_stats(tree):
    leaves = jax.tree_leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(jnp.size(leaf) for leaf in leaves), norm


# %% none_counted
# None is treated as a leaf and counted.
# Do: Count the result of `jax.tree.leaves`. It leaves None out.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_none_is_no_leaf, test_all_containers_are_branches,
# test_a_tree_without_leaves_has_norm_zero
def tree_stats(tree):
    leaves = jax.tree.leaves(tree, is_leaf=lambda leaf: leaf is None)
    arrays = [jnp.asarray(0 if leaf is None else leaf, jnp.float32) for leaf in leaves]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(a)) for a in arrays))
    return len(leaves), sum(a.size for a in arrays), norm


# %% lists_and_dicts_only
# A recursion treats every tuple as a shape and skips it.
# Do: Let `jax.tree.leaves` go through the tree. It treats a tuple as a branch.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_none_is_no_leaf, test_all_containers_are_branches
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


# %% known_containers
# A recursion has a case for each built-in Python container.
# Do: Let `jax.tree.leaves` go through the tree. It handles every registered class.
# Breaks: Returns 2
# Fails: test_all_containers_are_branches
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


# %% arrays_only
# Every leaf is expected to be an array with a size.
# Do: Use `jnp` functions that also take Python numbers, such as `jnp.size`.
# Breaks: Returns 2
# Fails: test_scalars_are_leaves_of_one_parameter, test_details
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum((leaf.astype(jnp.float32) ** 2).sum() for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% numbers_left_out
# Leaves that aren't arrays are skipped.
# Do: Count each leaf, whether it is an array or not.
# Breaks: Returns 2
# Fails: test_scalars_are_leaves_of_one_parameter, test_details
def tree_stats(tree):
    leaves = [leaf for leaf in jax.tree.leaves(tree) if isinstance(leaf, jax.Array)]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% nothing_to_join
# All leaves are joined into one vector, which fails without leaves.
# Do: Start your sums with 0, so that a tree without leaves has a norm.
# Breaks: Returns 5
# Fails: test_a_tree_without_leaves_has_norm_zero
def tree_stats(tree):
    leaves = [jnp.ravel(leaf).astype(jnp.float32) for leaf in jax.tree.leaves(tree)]
    everything = jnp.concatenate(leaves)
    return len(leaves), everything.size, jnp.linalg.norm(everything)


# %% counts_are_arrays
# Both counts are JAX arrays, which can't be dict keys and wrap at 2^31.
# Do: Count with Python's `len` and `sum`.
# Breaks: Returns 3
# Fails: test_a_network_is_counted_and_measured
def tree_stats(tree, solution=tree_stats):
    leaves, parameters, norm = solution(tree)
    return jnp.asarray(leaves), jnp.asarray(parameters), norm


# %% half_precision
# Integers become floats, but half precision is squared and summed in its own dtype.
# Do: Convert each leaf to float32 before you square it.
# Breaks: Details 1
# Fails: test_details
def tree_stats(tree):
    leaves = [jnp.asarray(leaf) * 1.0 for leaf in jax.tree.leaves(tree)]
    squares = sum(jnp.sum(leaf**2) for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)


# %% once missed
import math

from jax.flatten_util import ravel_pytree


# %% integer_squares
# Floats are squared in float32, but integers in their own dtype, which overflows.
# Breaks: Details 1
# Fails: test_details
def tree_stats(tree):
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    squares = 0
    for leaf in leaves:
        wide = leaf.astype(jnp.float32) if jnp.issubdtype(leaf.dtype, jnp.floating) else leaf
        squares += jnp.vdot(wide, wide)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)


# %% joined_in_one_dtype
# All leaves are joined first, so large integers are rounded to the half precision of another leaf.
# Breaks: Details 1
# Fails: test_details
def tree_stats(tree):
    everything, _ = ravel_pytree(tree)
    norm = jnp.linalg.norm(everything.astype(jnp.float32))
    return len(jax.tree.leaves(tree)), everything.size, norm


# %% product_of_no_axes
# The size is computed from the shape, and a scalar without axes gives 0.
# Breaks: Returns 2
# Fails: test_scalars_are_leaves_of_one_parameter, test_details
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    sizes = [math.prod(jnp.shape(leaf)) if jnp.ndim(leaf) else 0 for leaf in leaves]
    return len(leaves), sum(sizes), norm


# %% spectral_norm
# `ord=2` is the length of a vector, but the largest singular value of a matrix.
# Breaks: Returns 4
# Fails: test_a_network_is_counted_and_measured, test_none_is_no_leaf,
# test_scalars_are_leaves_of_one_parameter, test_all_containers_are_branches
def norm_of(leaf):
    return jnp.linalg.norm(leaf, ord=2) if leaf.ndim == 2 else jnp.sqrt(jnp.sum(leaf**2))


def tree_stats(tree):
    leaves = [jnp.atleast_1d(leaf).astype(float) for leaf in jax.tree.leaves(tree)]
    squares = sum(norm_of(leaf) ** 2 if leaf.size else 0 for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)


# %% two_axes_at_most
# The size is rows times columns: further axes are ignored.
# Breaks: Returns 2
# Fails: test_a_network_is_counted_and_measured
def size(leaf):
    rows, columns, *_ = (*jnp.shape(leaf), 1, 1)
    return rows * columns


def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(map(size, leaves)), norm


# %% finite_numbers_only
# NaN and infinity are replaced with zero, which hides that training has failed.
# Breaks: Details 3
# Fails: test_details
def tree_stats(tree):
    leaves = [jnp.nan_to_num(leaf, posinf=0, neginf=0) for leaf in jax.tree.leaves(tree)]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% root_plus_epsilon
# A small number is added under the root, which is more than the squares of small gradients.
# Breaks: Details 2
# Fails: test_a_tree_without_leaves_has_norm_zero, test_details
def tree_stats(tree):
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    squares = sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares + 1e-10)


# %% python_integers
# Only arrays become float32, and the square of a Python integer doesn't fit into int32.
# Breaks: Details 1
# Fails: test_details
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    wide = [leaf.astype(jnp.float32) if isinstance(leaf, jax.Array) else leaf for leaf in leaves]
    squares = sum(jnp.sum(jnp.square(leaf)) for leaf in wide)
    return len(leaves), sum(map(jnp.size, leaves)), jnp.sqrt(squares)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_without_gradient": "The norm may be a Python float, which has no gradient.",
}
