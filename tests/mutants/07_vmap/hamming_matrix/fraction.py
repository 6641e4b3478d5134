"""The share of entries that differ, as SciPy has it.

Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
test_long_rows_are_counted_in_full, test_the_program_does_not_grow
"""


def hamming(a, b):
    return (a != b).mean()
