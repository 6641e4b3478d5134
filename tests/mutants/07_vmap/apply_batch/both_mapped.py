"""`vmap` without `in_axes` pairs each vector with a row of the matrix.

Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow, test_it_is_fast
"""

import jax
import jax.numpy as jnp


def apply_batch(mat, vs):
    return jax.vmap(jnp.dot)(mat, vs)
