"""The direction is scaled to length one, which a product must not do.

Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
test_it_is_fast
"""

import jax
import jax.numpy as jnp


def hvp(f, x, v):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(v)))
    unit = jax.tree.map(lambda leaf: leaf / norm, v)
    return jax.jvp(jax.grad(f), (x,), (unit,))[1]
