"""The batch ends up in the columns, which no shape gives away in a square table.

Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_the_dtype_is_kept
"""

import math


def flatten_batch(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:])).T
