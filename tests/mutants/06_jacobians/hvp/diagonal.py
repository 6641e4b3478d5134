"""The direction is multiplied by the sums of the rows, as if the Hessian were diagonal.

Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
test_it_is_fast
"""

import jax
import jax.numpy as jnp


def hvp(f, x, v):
    ones = jax.tree.map(jnp.ones_like, x)
    rows = jax.jvp(jax.grad(f), (x,), (ones,))[1]
    return jax.tree.map(jnp.multiply, rows, v)
