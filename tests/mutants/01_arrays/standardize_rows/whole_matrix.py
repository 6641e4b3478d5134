"""One mean and one deviation for the whole matrix.

Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
test_it_survives_jit_and_vmap
"""


def standardize_rows(X):
    return (X - X.mean()) / X.std()
