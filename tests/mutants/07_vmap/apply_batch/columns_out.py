"""The products come out as columns: [m, B] where [B, m] was asked for.

Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow, test_it_is_fast
"""


def apply_batch(mat, vs):
    return mat @ vs.T
