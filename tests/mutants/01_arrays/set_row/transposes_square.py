"""The axis is picked by comparing lengths, which can't tell in a square matrix.

Fails: test_a_square_matrix_loses_a_row_and_no_column
"""


def set_row(x, i, row):
    if row.shape[0] == x.shape[0] > 1:
        return x.at[:, i].set(row)
    return x.at[i].set(row)
