"""Axis 1 of the scores is the keys' for one sequence, and the queries' for a batch.

Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
test_it_is_fast
"""

import math

import jax
import jax.numpy as jnp


def attention(q, k, v):
    scores = jnp.einsum("btd,bsd->bts", q, k) / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=1) @ v
