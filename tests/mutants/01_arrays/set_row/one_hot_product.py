"""The old row is masked by multiplying with zero, which NaN and Inf survive and integers don't.

Fails: test_nan_and_infinity_stay_in_their_row, test_the_dtype_is_kept
"""

import jax


def set_row(x, i, row):
    hot = jax.nn.one_hot(i, x.shape[0])[:, None]
    return x * (1 - hot) + hot * row
