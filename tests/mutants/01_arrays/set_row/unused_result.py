"""The updated copy is made and thrown away.

Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
test_nan_and_infinity_stay_in_their_row, test_the_dtype_is_kept, test_the_index_may_be_traced,
test_a_batch_can_be_set, test_the_input_can_be_used_again
"""


def set_row(x, i, row):
    x.at[i].set(row)
    return x
