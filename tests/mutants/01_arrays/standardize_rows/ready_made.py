"""`jax.nn.standardize` as it is: it adds 1e-5 to the variance, and squares before it subtracts.

Fails: test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread
"""

import jax


def standardize_rows(X):
    return jax.nn.standardize(X, axis=1)
