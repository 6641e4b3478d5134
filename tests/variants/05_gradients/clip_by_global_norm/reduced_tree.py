"""`jax.tree.reduce` for the norm and `where` for the decision, leaf by leaf."""

import operator

import jax
import jax.numpy as jnp


@jax.jit
def clip_by_global_norm(tree, c):
    squares = jax.tree.map(lambda leaf: jnp.vdot(leaf, leaf), tree)
    norm = jnp.sqrt(jax.tree.reduce(operator.add, squares))
    return jax.tree.map(lambda leaf: jnp.where(norm > c, leaf * c / norm, leaf), tree)
