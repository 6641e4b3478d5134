"""What the suite of tree_stats once missed; each cell is a suffix to the solution.

Not noticed any more: elements and rows beyond 1024, since the text names no limit.
"""

import math

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


# %% integer_squares
# Floats are squared in float32, but integers in their own dtype, which overflows.
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
# Fails: test_details
def tree_stats(tree):
    everything, _ = ravel_pytree(tree)
    norm = jnp.linalg.norm(everything.astype(jnp.float32))
    return len(jax.tree.leaves(tree)), everything.size, norm


# %% product_of_no_axes
# The size is computed from the shape, and a scalar without axes gives 0.
# Fails: test_scalars_are_leaves_of_one_parameter, test_details
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    sizes = [math.prod(jnp.shape(leaf)) if jnp.ndim(leaf) else 0 for leaf in leaves]
    return len(leaves), sum(sizes), norm


# %% spectral_norm
# `ord=2` is the length of a vector, but the largest singular value of a matrix.
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
# Fails: test_a_network_is_counted_and_measured
def size(leaf):
    rows, columns, *_ = (*jnp.shape(leaf), 1, 1)
    return rows * columns


def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(map(size, leaves)), norm


# %% finite_numbers_only
# NaN and infinity are taken for zero, which hides that a training has failed.
# Fails: test_details
def tree_stats(tree):
    leaves = [jnp.nan_to_num(leaf, posinf=0, neginf=0) for leaf in jax.tree.leaves(tree)]
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves))
    return len(leaves), sum(leaf.size for leaf in leaves), norm


# %% root_plus_epsilon
# A small number under the root, which is more than the squares of small gradients.
# Fails: test_a_tree_without_leaves_has_norm_zero, test_details
def tree_stats(tree):
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    squares = sum(jnp.sum(jnp.square(jnp.asarray(leaf, jnp.float32))) for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares + 1e-10)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_without_gradient": "The norm may be a Python float, which has no gradient.",
}


# %% python_integers
# Only arrays become float32, and the square of a Python integer doesn't fit into int32.
# Fails: test_details
def tree_stats(tree):
    leaves = jax.tree.leaves(tree)
    wide = [leaf.astype(jnp.float32) if isinstance(leaf, jax.Array) else leaf for leaf in leaves]
    squares = sum(jnp.sum(jnp.square(leaf)) for leaf in wide)
    return len(leaves), sum(map(jnp.size, leaves)), jnp.sqrt(squares)
