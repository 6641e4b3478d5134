"""The tutorial's map for one vector, given a matrix: broadcasting hides it where the shapes fit.

Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
test_long_rows_are_counted_in_full, test_the_program_does_not_grow
"""

import jax
import jax.numpy as jnp


def hamming_matrix(A, B):
    return jax.vmap(lambda A, b: jnp.not_equal(A, b).sum(axis=0), in_axes=[None, 0])(A, B)
