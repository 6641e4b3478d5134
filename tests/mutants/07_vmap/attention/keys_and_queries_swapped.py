"""Keys ask and queries answer.

Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
test_it_is_fast
"""

import math

import jax


def attend(q, k, v):
    scores = k @ q.T / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v
