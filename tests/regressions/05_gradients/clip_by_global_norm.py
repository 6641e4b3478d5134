"""What the suite of clip_by_global_norm once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% joined
# The leaves are joined, and a tree without leaves has nothing to join.
# Fails: test_details
def clip_by_global_norm(tree, c):
    flat = jnp.concatenate([jnp.ravel(leaf) for leaf in jax.tree.leaves(tree)])
    scale = c / jnp.maximum(jnp.linalg.norm(flat), c)
    return jax.tree.map(lambda leaf: scale * leaf, tree)


# %% large_guard
# The guard against 0 / 0 is bigger than a tiny norm, so tiny gradients shrink.
# Fails: test_details
def clip_by_global_norm(tree, c):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    scale = jnp.minimum(norm, c) / jnp.maximum(norm, 1e-8)
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


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for float32, in and out.",
    "argument_no_half_precision of `tree`": "The text asks for float32.",
    "argument_no_integers of `tree`": "The text asks for float32.",
    "argument_without_gradient": "The text doesn't say that the result has derivatives.",
}
