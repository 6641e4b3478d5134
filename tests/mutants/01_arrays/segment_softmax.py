"""Wrong answers to segment_softmax; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def shared_out(weights, segments, n):
    total = jax.ops.segment_sum(weights, segments, n + 1)
    return jnp.where(segments < n, weights / total[segments], 0)


# %% one_maximum
# The largest of all scores is subtracted, so segments far below it are 0 / 0.
# At most half of the points.
# Fails: test_segments_far_apart, test_padding_has_no_weight, test_the_gradient
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jnp.max(scores, initial=-jnp.inf))
    return shared_out(jnp.exp(scores - top), segments, n)


# %% no_maximum
# The exponentials of large scores are infinite.
# At most half of the points.
# Fails: test_segments_far_apart, test_empty_segments, test_padding_has_no_weight, test_the_gradient
def segment_softmax(scores, segments, n):
    return shared_out(jnp.exp(scores), segments, n)


# %% guarded_sum
# The largest of all scores is subtracted, and a tiny number is added to each sum: segments become 0.
# At most half of the points.
# Fails: test_segments_far_apart, test_padding_has_no_weight, test_the_gradient
def segment_softmax(scores, segments, n):
    weights = jnp.exp(scores - lax.stop_gradient(jnp.max(scores, initial=-jnp.inf)))
    total = jax.ops.segment_sum(weights, segments, n + 1) + 1e-9
    return jnp.where(segments < n, weights / total[segments], 0)


# %% clamped_padding
# Padding is out of range: JAX clamps the index, and padding reads the last segment.
# Fails: test_empty_segments, test_padding_has_no_weight, test_the_gradient,
# test_no_table_of_scores_and_segments, test_a_batch_of_graphs
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jax.ops.segment_max(scores, segments, n))
    weights = jnp.exp(scores - top[segments])
    return weights / jax.ops.segment_sum(weights, segments, n)[segments]


# %% padding_in_the_last_segment
# Padding is put into the last segment.
# Fails: test_empty_segments, test_padding_has_no_weight, test_the_gradient,
# test_no_table_of_scores_and_segments, test_a_batch_of_graphs
def segment_softmax(scores, segments, n, solution=segment_softmax):
    return solution(scores, jnp.minimum(segments, n - 1), n)


# %% padding_as_zeros_in_the_last_segment
# Padding counts as scores of 0 in the maximum of the last segment, so one far below is 0 / 0.
# Fails: test_padding_has_no_weight
def segment_softmax(scores, segments, n):
    places = jnp.minimum(segments, n - 1)
    shown = jnp.where(segments < n, scores, 0)
    top = lax.stop_gradient(jax.ops.segment_max(shown, places, n))
    return shared_out(jnp.exp(shown - top[places]), segments, n)


# %% whole_softmax
# One softmax for all scores.
# Fails: test_each_segment_adds_up_to_one, test_segments_far_apart, test_empty_segments,
# test_padding_has_no_weight, test_the_gradient, test_no_table_of_scores_and_segments,
# test_a_batch_of_graphs
def segment_softmax(scores, segments, n):
    return jnp.where(segments < n, jax.nn.softmax(scores), 0)


# %% sorted_segments
# The segments are taken for sorted.
# Fails: test_each_segment_adds_up_to_one, test_segments_far_apart, test_empty_segments,
# test_padding_has_no_weight, test_the_gradient, test_no_table_of_scores_and_segments,
# test_a_batch_of_graphs
def segment_softmax(scores, segments, n, solution=segment_softmax):
    return solution(scores, jnp.sort(segments), n)


# %% set_for_add
# `.at[].set` in place of `.at[].add`: one score of a segment is its sum.
# Fails: test_each_segment_adds_up_to_one, test_segments_far_apart, test_empty_segments,
# test_padding_has_no_weight, test_the_gradient, test_no_table_of_scores_and_segments,
# test_a_batch_of_graphs
def segment_softmax(scores, segments, n):
    top = jax.ops.segment_max(scores, segments, n + 1)
    weights = jnp.exp(scores - lax.stop_gradient(top)[segments])
    total = jnp.zeros(n + 1).at[segments].set(weights)
    return jnp.where(segments < n, weights / total[segments], 0)


# %% maximum_from_zero
# The maximum of a segment begins at 0, so segments far below 0 are 0 / 0.
# Fails: test_segments_far_apart, test_empty_segments, test_padding_has_no_weight, test_the_gradient
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jnp.zeros(n + 1).at[segments].max(scores))
    return shared_out(jnp.exp(scores - top[segments]), segments, n)


# %% last_score
# The last score of each segment is subtracted, which may be far below the largest.
# Fails: test_segments_far_apart
def segment_softmax(scores, segments, n):
    last = lax.stop_gradient(jnp.zeros(n + 1).at[segments].set(scores))
    return shared_out(jnp.exp(scores - last[segments]), segments, n)


# %% logarithm_of_zero
# The logarithm of a weight that is 0 has an infinite slope, and infinity times 0 is NaN.
# Fails: test_the_gradient
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jax.ops.segment_max(scores, segments, n + 1))
    weights = jnp.exp(scores - top[segments])
    total = jax.ops.segment_sum(weights, segments, n + 1)
    shares = jnp.exp(jnp.log(weights) - jnp.log(total)[segments])
    return jnp.where(segments < n, shares, 0)


# %% at_most_64
# A segment has room for 64 scores, and more are left out.
# Fails: test_no_table_of_scores_and_segments
def segment_softmax(scores, segments, n):
    order = jnp.argsort(segments)
    ordered = segments[order]
    place = jnp.arange(len(scores)) - jnp.searchsorted(ordered, ordered)
    room = jnp.full((n + 1, 64), -jnp.inf).at[ordered, place].set(scores[order], mode="drop")
    top = lax.stop_gradient(room.max(axis=1, keepdims=True))
    weights = jnp.exp(room - jnp.where(top == -jnp.inf, 0, top))
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / jnp.where(total == 0, 1, total)
    shares = shares.at[ordered, place].get(mode="fill", fill_value=0)
    return jnp.where(segments < n, jnp.zeros_like(scores).at[order].set(shares), 0)


# %% segment_sums
# The result is the sum of each segment, and not the share of each score.
# Fails: test_each_segment_adds_up_to_one, test_segments_far_apart, test_empty_segments,
# test_padding_has_no_weight, test_the_gradient, test_no_table_of_scores_and_segments,
# test_a_batch_of_graphs
def segment_softmax(scores, segments, n, solution=segment_softmax):
    return jax.ops.segment_sum(solution(scores, segments, n), segments, n)


# %% table
# A table of all scores and all segments.
# Fails: test_no_table_of_scores_and_segments
def segment_softmax(scores, segments, n):
    mine = segments == jnp.arange(n)[:, None]
    shares = jax.nn.softmax(jnp.where(mine, scores, -3.4e38), axis=1)
    return jnp.where(mine, shares, 0).sum(axis=0)


# %% python_loop
# A loop over the segments, which picks scores by a mask.
# Fails: test_segments_far_apart, test_the_gradient, test_no_table_of_scores_and_segments,
# test_a_batch_of_graphs
def segment_softmax(scores, segments, n):
    found = jnp.zeros_like(scores)
    for segment in range(n):
        mine = np.flatnonzero(np.asarray(segments) == segment)
        found = found.at[mine].set(jax.nn.softmax(scores[mine]))
    return found


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
    "argument_no_narrow_integers": "The text asks for int32 segments.",
    "argument_without_nan": "The scores are finite.",
    "result_without_nan": "The scores are finite, so no result is NaN.",
    "result_float32": "The result is float32.",
}
