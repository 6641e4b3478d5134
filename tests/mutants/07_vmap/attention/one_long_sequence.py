"""The batch is flattened into one sequence, so positions look into other sequences.

Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
test_it_is_fast
"""

# ruff: noqa: F821
# `attend` is the solution's.


def attention(q, k, v):
    flat = [x.reshape(-1, x.shape[-1]) for x in (q, k, v)]
    return attend(*flat).reshape(v.shape)
