"""The root of the sequence's length, in place of the vectors'.

Fails: test_values_are_averaged_by_agreement, test_axes_of_length_one_are_kept,
test_the_program_does_not_grow, test_it_is_fast
"""

import math

import jax


def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[0])
    return jax.nn.softmax(scores, axis=-1) @ v
