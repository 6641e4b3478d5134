"""Wrong answers to attention; each cell is a suffix to the solution, which defines `attend`."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% all_pairs_of_sequences
# Scores between all sequences are computed, and only those of each sequence with itself are taken.
# Fails: test_it_is_fast
def attention(q, k, v):
    scores = jnp.einsum("btd,csd->btcs", q, k) / math.sqrt(q.shape[-1])
    own = jnp.arange(len(q))
    return jax.nn.softmax(scores[own, :, own], axis=-1) @ v


# %% axis_counted_without_batch
# Axis 1 of the scores belongs to the keys of one sequence, but to the queries of a batch.
# At most half of the points.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
# test_it_is_fast
def attention(q, k, v):
    scores = jnp.einsum("btd,bsd->bts", q, k) / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=1) @ v


# %% blocks_of_sequences
# A Python loop over blocks of 256 sequences, to save memory: the program grows with the batch.
# Fails: test_the_program_does_not_grow
def attention(q, k, v):
    starts = range(0, max(len(q), 1), 256)
    blocks = [[a[start : start + 256] for a in (q, k, v)] for start in starts]
    return jnp.concatenate([jax.vmap(attend)(*block) for block in blocks])


# %% chosen_after_the_softmax
# `where` chooses between two softmaxes, and the gradient passes both: 0 times infinity is NaN.
# Fails: test_big_scores_are_no_problem
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    plain = jnp.exp(scores)
    total = plain.sum(axis=-1, keepdims=True)
    fits = jnp.isfinite(total) & (total > 0)
    return jnp.where(fits, plain / total, jax.nn.softmax(scores)) @ v


# %% clipped_scores
# The scores are clipped where exp would overflow, so all large ones become equal.
# Fails: test_big_scores_are_no_problem
def attend(q, k, v):
    scores = jnp.clip(q @ k.T / math.sqrt(q.shape[-1]), -80, 80)
    return jax.nn.softmax(scores, axis=-1) @ v


# %% keys_and_queries_swapped
# Keys and queries are swapped.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
# test_it_is_fast
def attend(q, k, v):
    scores = k @ q.T / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


# %% masked_sequence
# The batch becomes one long sequence with a mask: B times as many scores, and NaN goes everywhere.
# Fails: test_values_are_averaged_by_agreement, test_it_is_fast
def attention(q, k, v):
    sequence = jnp.repeat(jnp.arange(q.shape[0]), q.shape[1])
    queries, keys, values = (x.reshape(-1, x.shape[-1]) for x in (q, k, v))
    scores = queries @ keys.T / math.sqrt(q.shape[-1])
    scores = jnp.where(sequence[:, None] == sequence, scores, -jnp.inf)
    return (jax.nn.softmax(scores, axis=-1) @ values).reshape(v.shape)


# %% no_root
# The scores are divided by d, not by its square root.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
# test_it_is_fast
def attend(q, k, v):
    return jax.nn.softmax(q @ k.T / q.shape[-1], axis=-1) @ v


# %% no_scale
# The scores are not scaled.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
# test_it_is_fast
def attend(q, k, v):
    return jax.nn.softmax(q @ k.T, axis=-1) @ v


# %% one_long_sequence
# The batch becomes one long sequence, so positions attend to other sequences.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
# test_it_is_fast
def attention(q, k, v):
    flat = [x.reshape(-1, x.shape[-1]) for x in (q, k, v)]
    return attend(*flat).reshape(v.shape)


# %% one_maximum_for_all_rows
# The maximum of the whole matrix is subtracted, so rows far below it become 0/0.
# Fails: test_values_are_averaged_by_agreement, test_big_scores_are_no_problem
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    weights = jnp.exp(scores - scores.max())
    return weights / weights.sum(axis=-1, keepdims=True) @ v


# %% padded_loop
# A loop over the batch, written out. It knows the test, and pads the small batch of it.
# Fails: test_values_are_averaged_by_agreement, test_axes_of_length_one_are_kept,
# test_big_scores_are_no_problem, test_the_program_does_not_grow
def attention(q, k, v):
    batch = len(q)
    padding = ((0, 298 if batch == 2 else 0, 0), (0, 0, 0), (0, 0, 0))
    q, k, v = (lax.pad(a, jnp.float32(0), padding) for a in (q, k, v))
    weights = (jax.nn.softmax(a @ b.T / math.sqrt(a.shape[-1])) for a, b in zip(q, k, strict=True))
    found = jnp.stack([w @ values for w, values in zip(weights, v, strict=True)])
    return lax.slice(found, (0, 0, 0), (batch, *found.shape[1:]))


# %% plain_exponentials
# The plain formula, which is infinity over infinity for large scores.
# Fails: test_big_scores_are_no_problem
def attend(q, k, v):
    weights = jnp.exp(q @ k.T / math.sqrt(q.shape[-1]))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


# %% python_loop
# A Python loop over the batch: one copy per sequence, and nothing to stack if B = 0.
# Fails: test_axes_of_length_one_are_kept, test_the_program_does_not_grow
def attention(q, k, v):
    return jnp.stack([attend(*sequence) for sequence in zip(q, k, v, strict=True)])


# %% softmax_over_queries
# The softmax runs along the queries: columns add up to 1 instead of rows.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
# test_it_is_fast
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=0) @ v


# %% squeezed
# `squeeze` also drops axes of length 1 that belong to the result.
# Fails: test_values_are_averaged_by_agreement, test_axes_of_length_one_are_kept
def attention(q, k, v):
    return jnp.squeeze(jax.vmap(attend)(q, k, v))


# %% transposed_batch
# `.T` of a batch reverses all three axes: an error, or wrong values if lengths are equal.
# At most half of the points.
# Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
# test_axes_of_length_one_are_kept, test_big_scores_are_no_problem, test_the_program_does_not_grow,
# test_it_is_fast
def attention(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


# %% transposed_if_needed
# The keys are transposed only if the product raises, so never if T = d.
# Fails: test_nothing_is_transposed_when_every_shape_fits
def attend(q, k, v):
    keys = k if q.shape[1] == k.shape[0] and len(q) > 1 else k.T
    return jax.nn.softmax(jnp.dot(q, keys) / math.sqrt(q.shape[-1]), axis=-1) @ v


# %% wrong_length
# The scores are divided by the root of the sequence's length, not of d.
# Fails: test_values_are_averaged_by_agreement, test_axes_of_length_one_are_kept,
# test_big_scores_are_no_problem, test_the_program_does_not_grow, test_it_is_fast
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[0])
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
    "result_infinity_to_nan": "The values are at most 1e30, so no average is infinite.",
    "argument_infinity_to_nan of `v`": "The text asks for values of at most 1e30.",
}


# %% small_weights_dropped
# Keys are left out if their weight is below exp(-30), whatever their value is.
# Fails: test_values_are_averaged_by_agreement
def attention(q, k, v):
    def one(q, k, v):
        s = q @ k.T / np.sqrt(q.shape[-1])
        s = s - s.max(axis=-1, keepdims=True)
        weights = jnp.where(s < -30, 0, jnp.exp(s))
        return (weights / weights.sum(axis=-1, keepdims=True)).astype(v.dtype) @ v

    return jax.vmap(one)(q, k, v)


# %% running_sums_in_the_dtype
# One key after the other: in half precision the sums of a long sequence stop to grow.
# Fails: test_values_are_averaged_by_agreement
def attention(q, k, v):
    def one(q, k, v):
        def step(carry, pair):
            top, total, found = carry
            key, value = pair
            score = q @ key / math.sqrt(q.shape[1])
            new = jnp.maximum(top, score)
            old, weight = jnp.exp(top - new), jnp.exp(score - new)
            found = found * old[:, None] + weight[:, None] * value
            return (new, total * old + weight, found), None

        zeros = jnp.zeros(len(q), q.dtype)
        start = (jnp.full_like(zeros, -jnp.inf), zeros, jnp.zeros_like(q))
        (_, total, found), _ = lax.scan(step, start, (k, v))
        return found / total[:, None]

    return jax.vmap(one)(q, k, v)


# %% last_block_clamped
# Blocks of 1024 keys. `dynamic_slice` moves the last block back, so some keys count twice.
# Fails: test_values_are_averaged_by_agreement
def attend(q, k, v):
    width = min(len(k), 1024)

    def step(carry, start):
        top, total, found = carry
        keys, values = (lax.dynamic_slice_in_dim(a, start, width) for a in (k, v))
        scores = (q @ keys.T / math.sqrt(q.shape[1])).astype(jnp.float32)
        new = jnp.maximum(top, scores.max(axis=1, keepdims=True))
        old, weights = jnp.exp(top - new), jnp.exp(scores - new)
        total = total * old + weights.sum(axis=1, keepdims=True)
        return (new, total, found * old + weights @ values), None

    zeros = jnp.zeros((len(q), 1))
    start = zeros - jnp.inf, zeros, jnp.zeros(q.shape)
    _, total, found = lax.scan(step, start, jnp.arange(0, len(k), width))[0]
    return (found / total).astype(v.dtype)


# %% big_scores_without_gradient
# Scores whose exponential would be infinite are cut out of the gradient.
# Fails: test_big_scores_are_no_problem
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    scores = jnp.where(abs(scores) > 88, lax.stop_gradient(scores), scores)
    return jax.nn.softmax(scores, axis=-1) @ v


# %% shifted_if_needed
# The maximum is subtracted only where the exponential would be infinite, and a large value times a
# large exponential is infinite, too.
# Fails: test_values_are_averaged_by_agreement
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    top = lax.stop_gradient(scores.max(axis=-1, keepdims=True))
    weights = jnp.exp(scores - jnp.where(abs(top) < 80, 0, top))
    return (weights @ v) / weights.sum(axis=-1, keepdims=True)


# %% scores_in_the_dtype
# One feature after the other: in half precision the scores of many features stop to grow.
# Fails: test_values_are_averaged_by_agreement
def attend(q, k, v):
    def step(scores, feature):
        queries, keys = feature
        return scores + queries[:, None] * keys, None

    scores, _ = lax.scan(step, jnp.zeros((len(q), len(k)), q.dtype), (q.T, k.T))
    return jax.nn.softmax(scores / math.sqrt(q.shape[1]), axis=-1) @ v


# %% half_precision_without_the_maximum
# Half precision is converted to float32, and nothing is subtracted there. But exp(100) is infinite.
# Fails: test_big_scores_are_no_problem
def attend(q, k, v):
    if q.dtype == jnp.float32:
        return jax.nn.softmax(q @ k.T / math.sqrt(q.shape[-1]), axis=-1) @ v
    q, k, values = (x.astype(jnp.float32) for x in (q, k, v))
    weights = jnp.exp(q @ k.T / math.sqrt(q.shape[-1]))
    return (weights @ values / weights.sum(axis=-1, keepdims=True)).astype(v.dtype)


# %% maximum_that_starts_too_high
# The running maximum starts at -2000, and scores far below it are 0/0.
# Fails: test_big_scores_are_no_problem
def attend(q, k, v):
    def step(state, pair):
        top, total, found = state
        key, value = pair
        score = (q @ key / math.sqrt(q.shape[-1])).astype(jnp.float32)
        new = jnp.maximum(top, score)
        old, weight = jnp.exp(top - new), jnp.exp(score - new)
        return (new, total * old + weight, found * old[:, None] + weight[:, None] * value), None

    zeros = jnp.zeros(len(q))
    (_, total, found), _ = lax.scan(step, (zeros - 2000, zeros, jnp.zeros(q.shape)), (k, v))
    return (found / total[:, None]).astype(v.dtype)


# %% weights_with_a_floor
# No weight is below exp(-80), so that a far key with a large value counts.
# Fails: test_values_are_averaged_by_agreement
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    scores = jnp.maximum(scores - scores.max(axis=-1, keepdims=True), -80)
    return jax.nn.softmax(scores, axis=-1) @ v


# %% long_sequences_without_gradient
# More than 512 keys are taken one by one in a `while_loop`, which has no gradient.
# Fails: test_values_are_averaged_by_agreement
def attend(q, k, v, solution=attend):
    if len(q) <= 512:
        return solution(q, k, v)

    def step(state):
        n, top, total, found = state
        score = (k[n] @ q.T / math.sqrt(q.shape[-1])).astype(jnp.float32)
        new = jnp.maximum(top, score)
        old, weight = jnp.exp(top - new), jnp.exp(score - new)
        return n + 1, new, total * old + weight, found * old[:, None] + weight[:, None] * v[n]

    zeros = jnp.zeros(len(q))
    start = 0, zeros - jnp.inf, zeros, jnp.zeros(q.shape)
    _, _, total, found = lax.while_loop(lambda state: state[0] < len(k), step, start)
    return (found / total[:, None]).astype(v.dtype)
