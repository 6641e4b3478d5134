"""`jvp` of the function itself: the slope along the direction, a single number.

Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
test_it_is_fast
"""

import jax


def hvp(f, x, v):
    return jax.jvp(f, (x,), (v,))[1]
