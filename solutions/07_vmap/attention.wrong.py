"""What learners get wrong in attention; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp


# %% transposed_batch
# `.T` of a batch reverses all three axes: an error, or wrong values if lengths are equal.
# Do: Write the code for one sequence, where `.T` means what you think. Map it with `jax.vmap`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_big_scores_are_no_problem, test_the_program_does_not_grow, test_it_is_fast, test_details
def attention(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


# %% axis_counted_without_batch
# Axis 1 of the scores belongs to the keys of one sequence, but to the queries of a batch.
# Do: Count the axis from the end: -1 is that of the keys, with and without a batch.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_big_scores_are_no_problem, test_the_program_does_not_grow, test_it_is_fast, test_details
def attention(q, k, v):
    scores = jnp.einsum("btd,bsd->bts", q, k) / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=1) @ v


# %% softmax_over_queries
# The softmax runs along the queries: columns add up to 1 instead of rows.
# Do: Take the softmax along the last axis, that of the keys.
# Breaks: Returns 2
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_big_scores_are_no_problem, test_the_program_does_not_grow, test_it_is_fast, test_details
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=0) @ v


# %% no_scale
# The scores are not scaled.
# Do: Divide the scores by the square root of d.
# Breaks: Returns 2
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_the_program_does_not_grow, test_it_is_fast, test_details
def attend(q, k, v):
    return jax.nn.softmax(q @ k.T, axis=-1) @ v


# %% no_root
# The scores are divided by d, not by its square root.
# Do: Divide by the square root of d.
# Breaks: Returns 2
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_big_scores_are_no_problem, test_the_program_does_not_grow, test_it_is_fast, test_details
def attend(q, k, v):
    return jax.nn.softmax(q @ k.T / q.shape[-1], axis=-1) @ v


# %% wrong_length
# The scores are divided by the root of the sequence's length, not of d.
# Do: d is the last axis of q, not the first.
# Breaks: Returns 2
# Fails: test_values_are_averaged_by_agreement, test_the_program_does_not_grow, test_it_is_fast,
# test_details
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[0])
    return jax.nn.softmax(scores, axis=-1) @ v


# %% keys_and_queries_swapped
# Keys and queries are swapped.
# Do: Let each row of the scores belong to a query: q @ k.T.
# Breaks: Returns 2
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_big_scores_are_no_problem, test_the_program_does_not_grow, test_it_is_fast, test_details
def attend(q, k, v):
    scores = k @ q.T / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


# %% plain_exponentials
# The plain formula is infinity over infinity for large scores.
# Do: Subtract the largest score of each row first, or use `jax.nn.softmax`.
# Breaks: Returns 3
# Fails: test_big_scores_are_no_problem, test_details
def attend(q, k, v):
    weights = jnp.exp(q @ k.T / math.sqrt(q.shape[-1]))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


# %% one_maximum_for_all_rows
# The maximum of the whole matrix is subtracted, so rows far below it become 0/0.
# Do: Subtract the maximum of each row, with `axis=-1` and `keepdims=True`.
# Breaks: Returns 3
# Fails: test_big_scores_are_no_problem
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    weights = jnp.exp(scores - scores.max())
    return weights / weights.sum(axis=-1, keepdims=True) @ v


# %% python_loop
# A Python loop over the batch: one copy per sequence, and nothing to stack if B = 0.
# Do: Map the code for one sequence with `jax.vmap`.
# Breaks: Returns 4
# Fails: test_the_program_does_not_grow, test_details
def attention(q, k, v):
    return jnp.stack([attend(*sequence) for sequence in zip(q, k, v, strict=True)])


# %% one_long_sequence
# The batch becomes one long sequence, so positions attend to other sequences.
# Do: Keep the batch axis, and map the code for one sequence over it.
# Breaks: Returns 2
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_big_scores_are_no_problem, test_the_program_does_not_grow, test_it_is_fast, test_details
def attention(q, k, v):
    flat = [x.reshape(-1, x.shape[-1]) for x in (q, k, v)]
    return attend(*flat).reshape(v.shape)


# %% squeezed
# `squeeze` also drops axes of length 1 that belong to the result.
# Do: Don't squeeze. The result of `vmap` already has the right axes.
# Breaks: Returns 1
# Fails: test_values_are_averaged_by_agreement, test_details
def attention(q, k, v):
    return jnp.squeeze(jax.vmap(attend)(q, k, v))


# %% once missed
from jax import lax


# %% all_pairs_of_sequences
# Scores between all sequences are computed, but only those of each sequence with itself are used.
# Breaks: Returns 5
# Fails: test_it_is_fast
def attention(q, k, v):
    scores = jnp.einsum("btd,csd->btcs", q, k) / math.sqrt(q.shape[-1])
    own = jnp.arange(len(q))
    return jax.nn.softmax(scores[own, :, own], axis=-1) @ v


# %% chosen_after_the_softmax
# `where` chooses between two softmaxes, but the gradient passes both: 0 times infinity is NaN.
# Breaks: Details 1
# Fails: test_details
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    plain = jnp.exp(scores)
    total = plain.sum(axis=-1, keepdims=True)
    fits = jnp.isfinite(total) & (total > 0)
    return jnp.where(fits, plain / total, jax.nn.softmax(scores)) @ v


# %% clipped_scores
# The scores are clipped where exp would overflow, so all large ones become equal.
# Breaks: Returns 3
# Fails: test_big_scores_are_no_problem, test_details
def attend(q, k, v):
    scores = jnp.clip(q @ k.T / math.sqrt(q.shape[-1]), -80, 80)
    return jax.nn.softmax(scores, axis=-1) @ v


# %% masked_sequence
# The batch becomes one long sequence with a mask: B times as many scores, and NaN spreads
# everywhere.
# Breaks: Details 2
# Fails: test_it_is_fast, test_details
def attention(q, k, v):
    sequence = jnp.repeat(jnp.arange(q.shape[0]), q.shape[1])
    queries, keys, values = (x.reshape(-1, x.shape[-1]) for x in (q, k, v))
    scores = queries @ keys.T / math.sqrt(q.shape[-1])
    scores = jnp.where(sequence[:, None] == sequence, scores, -jnp.inf)
    return (jax.nn.softmax(scores, axis=-1) @ values).reshape(v.shape)


# %% transposed_if_needed
# The keys are transposed only if the product raises, so never if T = d.
# Breaks: Returns 2
# Fails: test_nothing_is_transposed_when_every_shape_fits
def attend(q, k, v):
    keys = k if q.shape[1] == k.shape[0] and len(q) > 1 else k.T
    return jax.nn.softmax(jnp.dot(q, keys) / math.sqrt(q.shape[-1]), axis=-1) @ v


# %% big_scores_without_gradient
# Scores whose exponential would be infinite are removed from the gradient.
# Breaks: Details 1
# Fails: test_details
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    scores = jnp.where(abs(scores) > 88, lax.stop_gradient(scores), scores)
    return jax.nn.softmax(scores, axis=-1) @ v


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "scores = q @ k.T / math.sqrt(q.shape[-1]) -> scores = q @ k.T / math.sqrt(q.shape[1])": "A matrix has two axes: 1 and -1 are the same one.",
    "return jax.nn.softmax(scores, axis=-1) @ v -> return jax.nn.softmax(scores, axis=1) @ v": "A matrix has two axes: 1 and -1 are the same one.",
    "return jax.nn.softmax(scores, axis=-1) @ v -> return jax.nn.softmax(scores) @ v": "The last axis is the default.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "result_float32": "Averages in half precision are often computed in float32; the text names no dtype.",
    "argument_no_integers": "The text asks for floats.",
}
