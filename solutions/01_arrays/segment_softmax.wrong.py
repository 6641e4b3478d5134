"""What learners get wrong in segment_softmax; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def shared_out(weights, segments, n):
    total = jax.ops.segment_sum(weights, segments, n + 1)
    return jnp.where(segments < n, weights / total[segments], 0)


# %% one_maximum
# The largest of all scores is subtracted, so segments far below it are 0 / 0.
# Do: Find the largest score of each segment, and bring it back to its scores.
# Breaks: Details 1
# At most half of the points.
# Fails: test_segments_far_apart, test_padding_has_no_weight, test_details
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jnp.max(scores, initial=-jnp.inf))
    return shared_out(jnp.exp(scores - top), segments, n)


# %% no_maximum
# The exponentials of large scores are infinite.
# Do: Subtract the largest score of the segment before you take the exponential.
# Breaks: Details 1
# At most half of the points.
# Fails: test_segments_far_apart, test_padding_has_no_weight, test_details
def segment_softmax(scores, segments, n):
    return shared_out(jnp.exp(scores), segments, n)


# %% guarded_sum
# The largest of all scores is subtracted, and a tiny number is added to each sum: segments become 0.
# Do: Add nothing to the sums. Find the largest score of each segment.
# Breaks: Details 1
# At most half of the points.
# Fails: test_segments_far_apart, test_padding_has_no_weight, test_details
def segment_softmax(scores, segments, n):
    weights = jnp.exp(scores - lax.stop_gradient(jnp.max(scores, initial=-jnp.inf)))
    total = jax.ops.segment_sum(weights, segments, n + 1) + 1e-9
    return jnp.where(segments < n, weights / total[segments], 0)


# %% clamped_padding
# Padding is out of range: JAX clamps the index, and padding reads the last segment.
# Do: Give padding its own segment, so that no index is out of range.
# Breaks: Returns 3
# Fails: test_padding_has_no_weight, test_the_gradient, test_no_table_of_scores_and_segments,
# test_a_batch_of_graphs, test_details
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jax.ops.segment_max(scores, segments, n))
    weights = jnp.exp(scores - top[segments])
    return weights / jax.ops.segment_sum(weights, segments, n)[segments]


# %% padding_in_the_last_segment
# Padding is put into the last segment.
# Do: Give padding its own segment.
# Breaks: Returns 3
# Fails: test_padding_has_no_weight, test_the_gradient, test_no_table_of_scores_and_segments,
# test_a_batch_of_graphs, test_details
def segment_softmax(scores, segments, n, solution=segment_softmax):
    return solution(scores, jnp.minimum(segments, n - 1), n)


# %% whole_softmax
# One softmax is taken over all scores.
# Do: Sum within each segment.
# Breaks: Returns 2
# Fails: test_each_segment_adds_up_to_one, test_segments_far_apart, test_padding_has_no_weight,
# test_the_gradient, test_no_table_of_scores_and_segments, test_a_batch_of_graphs, test_details
def segment_softmax(scores, segments, n):
    return jnp.where(segments < n, jax.nn.softmax(scores), 0)


# %% sorted_segments
# The segments are assumed to be sorted.
# Do: Leave the segments in their order: they belong to the scores.
# Breaks: Returns 2
# Fails: test_each_segment_adds_up_to_one, test_segments_far_apart, test_padding_has_no_weight,
# test_the_gradient, test_no_table_of_scores_and_segments, test_a_batch_of_graphs, test_details
def segment_softmax(scores, segments, n, solution=segment_softmax):
    return solution(scores, jnp.sort(segments), n)


# %% set_for_add
# `.at[].set` instead of `.at[].add`: one score of a segment is its sum.
# Do: Sum the weights of a segment; `set` keeps only one of them.
# Breaks: Returns 2
# Fails: test_each_segment_adds_up_to_one, test_segments_far_apart, test_padding_has_no_weight,
# test_the_gradient, test_no_table_of_scores_and_segments, test_a_batch_of_graphs, test_details
def segment_softmax(scores, segments, n):
    top = jax.ops.segment_max(scores, segments, n + 1)
    weights = jnp.exp(scores - lax.stop_gradient(top)[segments])
    total = jnp.zeros(n + 1).at[segments].set(weights)
    return jnp.where(segments < n, weights / total[segments], 0)


# %% maximum_from_zero
# The maximum of a segment starts at 0, so segments far below 0 are 0 / 0.
# Do: Start with a number that is below every score.
# Breaks: Details 1
# Fails: test_segments_far_apart, test_padding_has_no_weight, test_details
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jnp.zeros(n + 1).at[segments].max(scores))
    return shared_out(jnp.exp(scores - top[segments]), segments, n)


# %% segment_sums
# The result is the sum of each segment, not the share of each score.
# Do: Bring the sums back to the scores, and divide by them.
# Breaks: Returns 1, Returns 2
# Fails: test_each_segment_adds_up_to_one, test_segments_far_apart, test_padding_has_no_weight,
# test_the_gradient, test_no_table_of_scores_and_segments, test_a_batch_of_graphs, test_details
def segment_softmax(scores, segments, n, solution=segment_softmax):
    return jax.ops.segment_sum(solution(scores, segments, n), segments, n)


# %% table
# A table of all scores and all segments is created.
# Do: Work with one number per score and one per segment.
# Breaks: Details 2
# Fails: test_no_table_of_scores_and_segments
def segment_softmax(scores, segments, n):
    mine = segments == jnp.arange(n)[:, None]
    shares = jax.nn.softmax(jnp.where(mine, scores, -3.4e38), axis=1)
    return jnp.where(mine, shares, 0).sum(axis=0)


# %% python_loop
# A loop over the segments selects scores with a mask.
# Do: Let one operation work on all segments.
# Breaks: Returns 4
# Fails: test_the_gradient, test_no_table_of_scores_and_segments, test_a_batch_of_graphs,
# test_details
def segment_softmax(scores, segments, n):
    found = jnp.zeros_like(scores)
    for segment in range(n):
        mine = np.flatnonzero(np.asarray(segments) == segment)
        found = found.at[mine].set(jax.nn.softmax(scores[mine]))
    return found


# %% table_row_by_row
# A loop over the segments goes through all scores each time: it makes the table in pieces.
# Do: Reduce with `jax.ops.segment_max` and `jax.ops.segment_sum`, which see each score once.
# Breaks: Details 2
# Fails: test_no_table_of_scores_and_segments
def segment_softmax(scores, segments, n):
    def one(found, k):
        mine = segments == k
        top = jax.lax.stop_gradient(jnp.max(scores, initial=-jnp.inf, where=mine))
        weights = jnp.where(mine, jnp.exp(jnp.where(mine, scores - top, 0)), 0)
        total = weights.sum()
        return jnp.where(mine, weights / jnp.where(total > 0, total, 1), found), None

    return jax.lax.scan(one, jnp.zeros_like(scores), jnp.arange(n))[0]


# %% once missed


# %% last_score
# The last score of each segment is subtracted, which may be far below the largest.
# Breaks: Details 1
# Fails: test_details
def segment_softmax(scores, segments, n):
    last = lax.stop_gradient(jnp.zeros(n + 1).at[segments].set(scores))
    return shared_out(jnp.exp(scores - last[segments]), segments, n)


# %% logarithm_of_zero
# The logarithm of a weight that is 0 has an infinite slope, and infinity times 0 is NaN.
# Breaks: Details 1
# Fails: test_details
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jax.ops.segment_max(scores, segments, n + 1))
    weights = jnp.exp(scores - top[segments])
    total = jax.ops.segment_sum(weights, segments, n + 1)
    shares = jnp.exp(jnp.log(weights) - jnp.log(total)[segments])
    return jnp.where(segments < n, shares, 0)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "top = jax.ops.segment_max(scores, segments, n + 1) -> top = jax.ops.segment_max(scores, segments, n + 2)": "One segment more, which nobody reads.",
    "total = jax.ops.segment_sum(weights, segments, n + 1) -> total = jax.ops.segment_sum(weights, segments, n + 2)": "One segment more, which nobody reads.",
    "weights = jnp.exp(scores - jax.lax.stop_gradient(top)[segments]) -> weights = jnp.exp(scores - top[segments])": "What is subtracted has no influence on the result, so its gradients cancel.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for float32 scores.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_without_nan": "The scores are finite.",
    "result_without_nan": "The scores are finite, so no result is NaN.",
    "result_float32": "The result is float32.",
}
