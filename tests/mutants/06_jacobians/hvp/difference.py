"""The change of the gradient over a step, which costs most of the digits.

Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
test_it_is_fast
"""

import jax


def hvp(f, x, v):
    eps = 1e-2
    shifted = jax.tree.map(lambda p, d: p + eps * d, x, v)
    return jax.tree.map(lambda a, b: (a - b) / eps, jax.grad(f)(shifted), jax.grad(f)(x))
