"""Reference solution: sums over a list of leaves."""

from typing import Any

import jax
import jax.numpy as jnp


def tree_stats(tree: Any) -> tuple[int, int, jax.Array | float]:
    """The number of leaves, the sum of their sizes, and the root of the sum of squares."""
    leaves = [jnp.asarray(leaf, jnp.float32) for leaf in jax.tree.leaves(tree)]
    squares = sum(jnp.sum(jnp.square(leaf)) for leaf in leaves)
    return len(leaves), sum(leaf.size for leaf in leaves), jnp.sqrt(squares)
