"""One `vmap` without `in_axes` pairs the rows up: n distances, where n * m were asked for.

Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
test_long_rows_are_counted_in_full, test_the_program_does_not_grow
"""

# ruff: noqa: F821
# `hamming` is the solution's.

import jax


def hamming_matrix(A, B):
    return jax.vmap(hamming)(A, B)
