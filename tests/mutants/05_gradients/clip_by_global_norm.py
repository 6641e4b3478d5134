"""Wrong answers to clip_by_global_norm; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% always_scaled
# The tree is always scaled to length c, so a short gradient becomes longer.
# Fails: test_a_short_gradient_stays_as_it_is, test_one_program_decides
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return jax.tree.map(lambda leaf: leaf * (c / jnp.maximum(norm, 1e-6)), tree)


# %% by_value
# Every element is clipped to the range from -c to c.
# At most half of the points.
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_zeros_stay_zeros, test_the_structure_is_kept, test_one_program_decides
def clip_by_global_norm(tree, c):
    return jax.tree.map(lambda leaf: jnp.clip(leaf, -c, c), tree)


# %% joined
# The leaves are joined, and a tree without leaves has nothing to join.
# Fails: test_the_structure_is_kept
def clip_by_global_norm(tree, c):
    flat = jnp.concatenate([jnp.ravel(leaf) for leaf in jax.tree.leaves(tree)])
    scale = c / jnp.maximum(jnp.linalg.norm(flat), c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% known_containers
# A recursion with a case for each container of Python's own.
# Fails: test_the_structure_is_kept
def scaled(tree, factor):
    if isinstance(tree, dict):
        return {name: scaled(branch, factor) for name, branch in tree.items()}
    if isinstance(tree, list | tuple):
        new = [scaled(branch, factor) for branch in tree]
        return type(tree)(*new) if hasattr(tree, "_fields") else type(tree)(new)
    return None if tree is None else factor * tree


def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return scaled(tree, c / jnp.maximum(norm, c))


# %% large_guard
# The guard against 0 / 0 is bigger than a tiny norm, so tiny gradients shrink.
# Fails: test_a_short_gradient_stays_as_it_is
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = jnp.minimum(norm, c) / jnp.maximum(norm, 1e-8)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% divisor_of_one
# The divisor is at least 1, so it is wrong for a norm between c and 1, or for a smaller c.
# Fails: test_a_long_gradient_is_cut_to_c, test_a_short_gradient_stays_as_it_is
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = jnp.minimum(1, c / jnp.maximum(norm, 1))
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% up_to_matrices
# A leaf of three axes or more is taken for several matrices, each with a norm of its own.
# Fails: test_a_long_gradient_is_cut_to_c
def clip_by_global_norm(tree, c):
    def square(leaf):
        return jnp.linalg.norm(leaf, axis=(0, 1)) ** 2 if leaf.ndim > 1 else jnp.sum(leaf**2)

    norm = jnp.sqrt(sum(map(square, jax.tree.leaves(tree))))
    scale = c / jnp.maximum(norm, c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% bounded_norm
# The norm is limited against overflow, so a gradient that is much too long stays too long.
# Fails: test_a_long_gradient_is_cut_to_c
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = c / jnp.clip(norm, c, 1e9)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% leaf_by_leaf
# Each leaf is clipped by its own norm, which changes the direction.
# At most half of the points.
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_the_structure_is_kept, test_one_program_decides
def clip_by_global_norm(tree, c):
    def clip(leaf):
        norm = jnp.sqrt(jnp.sum(leaf**2))
        return leaf * c / jnp.maximum(norm, c)

    return jax.tree.map(clip, tree)


# %% leaves_in_a_list
# The scaled leaves are returned in a list, without the tree's structure.
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_the_structure_is_kept,
# test_one_program_decides
def clip_by_global_norm(tree, c):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))
    return [leaf * (c / jnp.maximum(norm, c)) for leaf in leaves]


# %% one_level_of_dict
# It works for one level of a dict or list only.
# Fails: test_all_leaves_share_one_factor, test_zeros_stay_zeros, test_the_structure_is_kept
def clip_by_global_norm(tree, c):
    items = tree if isinstance(tree, dict) else dict(enumerate(tree))
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in items.values()))
    scale = c / jnp.maximum(norm, c)
    new = {name: scale * leaf for name, leaf in items.items()}
    return new if isinstance(tree, dict) else list(new.values())


# %% python_if
# A Python `if` on the norm, which needs a value and can't be traced.
# Fails: test_one_program_decides, test_the_structure_is_kept
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    if norm > c:
        return jax.tree.map(lambda leaf: leaf * c / norm, tree)
    return tree


# %% removed_function
# `jax.tree_multimap`, which old tutorials use, was removed from JAX.
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_the_structure_is_kept,
# test_one_program_decides
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = c / jnp.maximum(norm, c)
    return jax.tree_multimap(lambda leaf: scale * leaf, tree)


# %% squared_norm
# The square root is forgotten.
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_the_structure_is_kept,
# test_one_program_decides
def clip_by_global_norm(tree, c):
    norm = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree))
    scale = c / jnp.maximum(norm, c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% sum_of_norms
# The norms of the leaves are added instead of their squares.
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_the_structure_is_kept, test_one_program_decides
def clip_by_global_norm(tree, c):
    norm = sum(jnp.linalg.norm(leaf) for leaf in jax.tree.leaves(tree))
    scale = c / jnp.maximum(norm, c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% unit_vector
# A unit vector is computed first, which is NaN for a tree of zeros.
# Fails: test_zeros_stay_zeros, test_a_short_gradient_stays_as_it_is
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return jax.tree.map(lambda leaf: leaf / norm * jnp.minimum(norm, c), tree)


# %% almost_c
# A norm that is at most a hundredth longer than c is taken for c.
# Fails: test_all_leaves_share_one_factor
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = jnp.where(norm > 1.01 * c, c / norm, 1.0)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% counted_once
# An array that is in the tree twice is counted once.
# Fails: test_the_structure_is_kept
def clip_by_global_norm(tree, c):
    distinct = {id(leaf): leaf for leaf in jax.tree.leaves(tree)}
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in distinct.values()))
    scale = c / jnp.maximum(norm, c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% plain_dicts
# Every dict is rebuilt as a plain one, and only other classes are left to JAX.
# Fails: test_the_structure_is_kept
def scaled(tree, factor):
    if isinstance(tree, dict):
        return {name: scaled(branch, factor) for name, branch in tree.items()}

    def branch(tree):
        return scaled(tree, factor) if isinstance(tree, dict) else factor * tree

    return jax.tree.map(branch, tree, is_leaf=lambda tree: isinstance(tree, dict))


def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return scaled(tree, c / jnp.maximum(norm, c))


# %% remainder_forgotten
# Long leaves are summed in blocks of 1024, and what is left after the last block is forgotten.
# Fails: test_a_long_gradient_is_cut_to_c
def clip_by_global_norm(tree, c):
    def square(leaf):
        whole = leaf.size // 1024 * 1024 or leaf.size
        return jnp.sum(leaf.ravel()[:whole] ** 2)

    norm = jnp.sqrt(sum(map(square, jax.tree.leaves(tree))))
    scale = c / jnp.maximum(norm, c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% zero_norm
# A norm of 0 means zeros, but it is also what float32 finds for a tiny gradient.
# Fails: test_a_short_gradient_stays_as_it_is
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = jnp.where(norm > 0, jnp.minimum(norm, c) / jnp.where(norm > 0, norm, 1), 0)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for float32, in and out.",
    "argument_no_half_precision of `tree`": "The text asks for float32.",
    "argument_no_integers of `tree`": "The text asks for float32.",
    "argument_infinity_to_nan of `tree`": "An infinite norm can't be scaled down to c.",
    "argument_without_gradient": "The text doesn't say that the result has derivatives.",
}
