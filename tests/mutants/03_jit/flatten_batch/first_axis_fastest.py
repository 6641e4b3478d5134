"""The elements of a row are in Fortran's order.

Fails: test_each_example_becomes_a_row, test_it_survives_jit, test_the_dtype_is_kept
"""

import math


def flatten_batch(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:]), order="F")
