"""`jvp` returns a pair, and the gradient is taken for the product.

Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
test_it_is_fast
"""

import jax


def hvp(f, x, v):
    product, _ = jax.jvp(jax.grad(f), (x,), (v,))
    return product
