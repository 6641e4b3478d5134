"""What learners get wrong in clip_by_global_norm; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% by_value
# Every element is clipped to the range from -c to c.
# Do: Scale all elements by one factor. Clipping each of them changes the direction.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor, test_zeros_stay_zeros,
# test_one_program_decides, test_details
def clip_by_global_norm(tree, c):
    return jax.tree.map(lambda leaf: jnp.clip(leaf, -c, c), tree)


# %% leaf_by_leaf
# Each leaf is clipped by its own norm, which changes the direction.
# Do: Compute one norm from all leaves, and one factor from it.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor, test_zeros_stay_zeros,
# test_one_program_decides, test_details
def clip_by_global_norm(tree, c):
    def clip(leaf):
        norm = jnp.sqrt(jnp.sum(leaf**2))
        return leaf * c / jnp.maximum(norm, c)

    return jax.tree.map(clip, tree)


# %% sum_of_norms
# The norms of the leaves are added instead of their squares.
# Do: Add the squares of all elements, and take one root at the end.
# Breaks: Returns 2
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_one_program_decides,
# test_details
def clip_by_global_norm(tree, c):
    norm = sum(jnp.linalg.norm(leaf) for leaf in jax.tree.leaves(tree))
    scale = c / jnp.maximum(norm, c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% squared_norm
# The square root is missing.
# Do: Take the square root of the sum of the squares.
# Breaks: Returns 2
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_one_program_decides,
# test_details
def clip_by_global_norm(tree, c):
    norm = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree))
    scale = c / jnp.maximum(norm, c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% always_scaled
# The tree is always scaled to length c, so a short gradient becomes longer.
# Do: Limit the factor: it is never more than 1.
# Breaks: Returns 2
# Fails: test_a_short_gradient_stays_as_it_is, test_one_program_decides, test_details
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return jax.tree.map(lambda leaf: leaf * (c / jnp.maximum(norm, 1e-6)), tree)


# %% unit_vector
# A unit vector is computed first, which is NaN for a tree of zeros.
# Do: Compute the factor first, with a divisor that is never 0.
# Breaks: Returns 4
# Fails: test_zeros_stay_zeros
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return jax.tree.map(lambda leaf: leaf / norm * jnp.minimum(norm, c), tree)


# %% repaired
# The NaN of 0 / 0 is replaced afterwards, and with it every other NaN.
# Do: Avoid the division by 0. Then nothing has to be repaired.
# Breaks: Returns 5
# Fails: test_zeros_stay_zeros
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return jax.tree.map(lambda leaf: jnp.nan_to_num(leaf / norm * jnp.minimum(norm, c)), tree)


# %% divisor_of_one
# The divisor is at least 1, so it is wrong for a norm between c and 1, or for a smaller c.
# Do: Let the divisor be at least c, not at least 1.
# Breaks: Returns 2
# Fails: test_a_long_gradient_is_cut_to_c, test_a_short_gradient_stays_as_it_is
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = jnp.minimum(1, c / jnp.maximum(norm, 1))
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% python_if
# A Python `if` on the norm needs a value and can't be traced.
# Do: Let `jnp.minimum` or `jnp.maximum` decide in the program.
# Breaks: Returns 7
# Fails: test_one_program_decides
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    if norm > c:
        return jax.tree.map(lambda leaf: leaf * c / norm, tree)
    return tree


# %% leaves_in_a_list
# The scaled leaves are returned in a list, without the tree's structure.
# Do: Let `jax.tree.map` apply the factor: it rebuilds the tree.
# Breaks: Returns 1
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_one_program_decides,
# test_details
def clip_by_global_norm(tree, c):
    leaves = jax.tree.leaves(tree)
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))
    return [leaf * (c / jnp.maximum(norm, c)) for leaf in leaves]


# %% one_level_of_dict
# It works only for one level of a dict or list.
# Do: Traverse the tree with the functions in `jax.tree`.
# Breaks: Details 1
# Fails: test_all_leaves_share_one_factor, test_details
def clip_by_global_norm(tree, c):
    items = tree if isinstance(tree, dict) else dict(enumerate(tree))
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in items.values()))
    scale = c / jnp.maximum(norm, c)
    new = {name: scale * leaf for name, leaf in items.items()}
    return new if isinstance(tree, dict) else list(new.values())


# %% removed_function
# `jax.tree_multimap`, which old tutorials use, was removed from JAX.
# Do: Use `jax.tree.map`: the old function is no longer in JAX.
# Breaks: Returns 1
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_one_program_decides,
# test_details
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = c / jnp.maximum(norm, c)
    return jax.tree_multimap(lambda leaf: scale * leaf, tree)


# %% once missed


# %% joined
# The leaves are joined, but a tree without leaves has nothing to join.
# Breaks: Details 2
# Fails: test_details
def clip_by_global_norm(tree, c):
    flat = jnp.concatenate([jnp.ravel(leaf) for leaf in jax.tree.leaves(tree)])
    scale = c / jnp.maximum(jnp.linalg.norm(flat), c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% large_guard
# The guard against 0 / 0 is bigger than a tiny norm, so tiny gradients shrink.
# Breaks: Returns 2
# Fails: test_details
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = jnp.minimum(norm, c) / jnp.maximum(norm, 1e-8)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% up_to_matrices
# A leaf of three axes or more is treated as several matrices, each with its own norm.
# Breaks: Returns 3
# Fails: test_a_long_gradient_is_cut_to_c
def clip_by_global_norm(tree, c):
    def square(leaf):
        return jnp.linalg.norm(leaf, axis=(0, 1)) ** 2 if leaf.ndim > 1 else jnp.sum(leaf**2)

    norm = jnp.sqrt(sum(map(square, jax.tree.leaves(tree))))
    scale = c / jnp.maximum(norm, c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% replaced_in_place
# The scaled leaves replace those of the input dict.
# Breaks: Returns 6
# Fails: test_a_long_gradient_is_cut_to_c, test_all_leaves_share_one_factor,
# test_a_short_gradient_stays_as_it_is, test_zeros_stay_zeros, test_one_program_decides,
# test_details
def clip_by_global_norm(tree, c, solution=clip_by_global_norm):
    scaled = solution(tree, c)
    if isinstance(tree, dict):
        tree.update(scaled)
    return scaled


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for float32, in and out.",
    "argument_no_half_precision of `tree`": "The text asks for float32.",
    "argument_no_integers of `tree`": "The text asks for float32.",
    "argument_without_gradient": "The text doesn't say that the result has derivatives.",
}
