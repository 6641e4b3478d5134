"""`np.prod` of an empty tuple is the float 1.0, and no length.

Fails: test_vectors_and_single_numbers_are_examples_too, test_an_empty_batch_keeps_its_width,
test_it_survives_jit
"""

import numpy as np


def flatten_batch(x):
    return x.reshape(x.shape[0], np.prod(x.shape[1:]))
