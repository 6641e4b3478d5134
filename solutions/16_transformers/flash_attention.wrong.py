"""What learners get wrong in flash_attention; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
from jax import lax


def loop(q, k, v, block, step, low=-jnp.inf, scan=lax.scan):
    S, d = q.shape

    def one(state, pair):
        return step(*state, q @ pair[0].T / math.sqrt(d), pair[1]), None

    start = jnp.full(S, low), jnp.zeros(S), jnp.zeros((S, d))
    blocks = k.reshape(-1, block, d), v.reshape(-1, block, d)
    (_, total, weighted), _ = scan(one, start, blocks)
    return weighted / total[:, None]


def add(top, total, weighted, scores, values):
    new = jnp.maximum(top, scores.max(axis=1))
    old, weights = jnp.exp(top - new), jnp.exp(scores - new[:, None])
    total = total * old + weights.sum(axis=1)
    return new, total, weighted * old[:, None] + weights @ values


def lean_scan(one, start, blocks):
    return lax.scan(jax.checkpoint(one), start, blocks)


# %% whole_table
# Plain attention creates the whole table of scores.
# Do: Loop over blocks of keys, and carry maximum, sum and weighted sum.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_no_table_is_made, test_no_table_is_kept_for_the_gradients
def flash_attention(q, k, v, block):
    return jax.nn.softmax(q @ k.T / math.sqrt(q.shape[1]), axis=-1) @ v


# %% no_checkpoint
# Without `jax.checkpoint`, the scan keeps the exponentials of all blocks for the backward pass.
# Do: Put `jax.checkpoint` around the step of the scan.
# Breaks: Returns 3
# Fails: test_no_table_is_kept_for_the_gradients
def flash_attention(q, k, v, block):
    return loop(q, k, v, block, add)


# %% table_beforehand
# The scores of all blocks are computed before the loop.
# Do: Compute the scores of a block inside the step.
# Breaks: Returns 3
# Fails: test_no_table_is_made, test_no_table_is_kept_for_the_gradients
def flash_attention(q, k, v, block):
    S, d = q.shape
    scores = (q @ k.T / math.sqrt(d)).reshape(S, -1, block).swapaxes(0, 1)

    @jax.checkpoint
    def step(state, pair):
        return add(*state, *pair), None

    start = jnp.full(S, -jnp.inf), jnp.zeros(S), jnp.zeros((S, d))
    (_, total, weighted), _ = lax.scan(step, start, (scores, v.reshape(-1, block, d)))
    return weighted / total[:, None]


# %% no_correction
# The sums of earlier blocks aren't corrected when a larger score comes.
# Do: Multiply both sums by exp(old maximum - new maximum) before adding.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_rows_are_averages_over_all_blocks, test_large_scores_in_any_order,
# test_no_table_is_made, test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow,
# test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        new = jnp.maximum(top, scores.max(axis=1))
        weights = jnp.exp(scores - new[:, None])
        return new, total + weights.sum(axis=1), weighted + weights @ values

    return loop(q, k, v, block, step, scan=lean_scan)


# %% total_not_corrected
# Only the weighted sum is corrected, not the sum of the weights.
# Do: Correct both sums.
# Breaks: Returns 1
# Fails: test_rows_are_averages_over_all_blocks, test_large_scores_in_any_order,
# test_no_table_is_made, test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow,
# test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        new, _, weighted = add(top, total, weighted, scores, values)
        return new, total + jnp.exp(scores - new[:, None]).sum(axis=1), weighted

    return loop(q, k, v, block, step, scan=lean_scan)


# %% mean_of_blocks
# The softmax of each block is taken, and all blocks have equal weight.
# Do: Divide once, at the end: the blocks have different sums.
# Breaks: Returns 1
# Fails: test_rows_are_averages_over_all_blocks, test_large_scores_in_any_order,
# test_no_table_is_made, test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow,
# test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        return top, total + 1, weighted + jax.nn.softmax(scores) @ values

    return loop(q, k, v, block, step, scan=lean_scan)


# %% no_maximum
# The exponentials of the raw scores overflow.
# Do: Carry the largest score so far, and subtract it.
# Breaks: Details 2
# Fails: test_large_scores_in_any_order, test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        weights = jnp.exp(scores)
        return top, total + weights.sum(axis=1), weighted + weights @ values

    return loop(q, k, v, block, step, scan=lean_scan)


# %% starts_at_zero
# The maximum starts at 0, so scores far below 0 have no weight.
# Do: Start with a maximum of -inf.
# Breaks: Details 2
# Fails: test_large_scores_in_any_order, test_details
def flash_attention(q, k, v, block):
    return loop(q, k, v, block, add, low=0.0, scan=lean_scan)


# %% maximum_of_the_first_block
# The maximum of the first block is kept for all.
# Do: Take the larger of the old maximum and the block's maximum.
# Breaks: Details 2
# Fails: test_rows_are_averages_over_all_blocks, test_large_scores_in_any_order,
# test_no_table_is_made, test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow,
# test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        return add(
            jnp.where(jnp.isneginf(top), scores.max(axis=1), top),
            total,
            weighted,
            jnp.minimum(scores, jnp.where(jnp.isneginf(top), jnp.inf, top)[:, None]),
            values,
        )

    return loop(q, k, v, block, step, scan=lean_scan)


# %% one_maximum_for_all
# One maximum serves all queries, so the other queries get only zeros.
# Do: Give each query its own maximum: `max(axis=1)`.
# Breaks: Details 2
# Fails: test_large_scores_in_any_order, test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        new = jnp.maximum(top.max(), scores.max())
        old, weights = jnp.exp(top - new), jnp.exp(scores - new)
        total = total * old + weights.sum(axis=1)
        return jnp.full_like(top, new), total, weighted * old[:, None] + weights @ values

    return loop(q, k, v, block, step, scan=lean_scan)


# %% no_scale
# The scores aren't divided by the root of d.
# Do: Divide the scores by the square root of d.
# Breaks: Returns 1
# Fails: test_rows_are_averages_over_all_blocks, test_large_scores_in_any_order,
# test_no_table_is_made, test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow,
# test_details
def flash_attention(q, k, v, block, solution=flash_attention):
    return solution(q * q.shape[1] ** 0.5, k, v, block)


# %% python_loop
# A Python loop over the blocks: the program has a copy of the step for each.
# Do: Use `lax.scan` over the blocks.
# Breaks: Returns 4
# Fails: test_no_table_is_made, test_no_table_is_kept_for_the_gradients,
# test_the_program_does_not_grow
def flash_attention(q, k, v, block):
    def unrolled(one, state, blocks):
        for pair in zip(*blocks, strict=True):
            state, _ = jax.checkpoint(one)(state, pair)
        return state, None

    return loop(q, k, v, block, add, scan=unrolled)


# %% once missed
from functools import partial

import numpy as np


# %% stopped_weights
# The weights have no gradient, only the values.
# Breaks: Returns 2
# Fails: test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow, test_details
def flash_attention(q, k, v, block, solution=flash_attention):
    return solution(lax.stop_gradient(q), lax.stop_gradient(k), v, block)


# %% repaired
# NaN is replaced by 0, and infinity by the largest number.
# Breaks: Details 3
# Fails: test_details
def flash_attention(q, k, v, block, solution=flash_attention):
    return jnp.nan_to_num(solution(q, k, v, block))


# %% backward_without_the_maximum
# A custom backward pass takes exp of the raw scores, which overflows from 89 on.
# Breaks: Details 2
# Fails: test_details
@partial(jax.custom_vjp, nondiff_argnums=(3,))
def flash_attention(q, k, v, block):
    return in_blocks(q, k, v, block)[0]


def in_blocks(q, k, v, block):
    def step(carry, part):
        top, total, mean = carry
        keys, values = part
        scores = q @ keys.T / np.sqrt(q.shape[1])
        new = jnp.maximum(top, scores.max(axis=1))
        fix, weights = jnp.exp(top - new), jnp.exp(scores - new[:, None])
        return (
            new,
            total * fix + weights.sum(axis=1),
            mean * fix[:, None] + weights @ values,
        ), None

    start = jnp.full(len(q), -jnp.inf), jnp.zeros(len(q)), jnp.zeros_like(q)
    parts = [x.reshape(-1, block, x.shape[1]) for x in (k, v)]
    (top, total, mean), _ = lax.scan(step, start, parts)
    return mean / total[:, None], total * jnp.exp(top)


def forward(q, k, v, block):
    found, total = in_blocks(q, k, v, block)
    return found, (q, k, v, found, total)


def backward(block, saved, g):
    q, k, v, found, total = saved
    along = (g * found).sum(axis=1)

    def step(by_q, part):
        keys, values = part
        weights = jnp.exp(q @ keys.T / np.sqrt(q.shape[1])) / total[:, None]
        slopes = weights * (g @ values.T - along[:, None]) / np.sqrt(q.shape[1])
        return by_q + slopes @ keys, (slopes.T @ q, weights.T @ g)

    parts = [x.reshape(-1, block, x.shape[1]) for x in (k, v)]
    by_q, (by_k, by_v) = lax.scan(step, jnp.zeros_like(q), parts)
    return by_q, by_k.reshape(k.shape), by_v.reshape(v.shape)


flash_attention.defvjp(forward, backward)


# %% no_gradient_of_large_scores
# Scores beyond 88 have no gradient, to avoid overflow of their exponentials.
# Breaks: Details 2
# Fails: test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        scores = jnp.where(jnp.abs(scores) < 88, scores, lax.stop_gradient(scores))
        return add(top, total, weighted, scores, values)

    return loop(q, k, v, block, step, scan=lean_scan)


# %% python_decides
# A Python `if` takes another path for small scores, and has no value under `jit`.
# Breaks: Details 1
# Fails: test_no_table_is_made, test_no_table_is_kept_for_the_gradients,
# test_the_program_does_not_grow, test_details
def flash_attention(q, k, v, block, solution=flash_attention):
    if jnp.abs(q).max() * jnp.abs(k).max() * q.shape[1] < 1e-6:
        return jnp.broadcast_to(v.mean(axis=0), (len(q), v.shape[1]))
    return solution(q, k, v, block)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "start = (jnp.full(S, -jnp.inf), jnp.zeros(S), jnp.zeros((S, d))) -> start = (jnp.full(S, -jnp.inf), jnp.zeros(S), jnp.ones((S, d)))": "The first block multiplies what is carried by exp(-inf), which is 0.",
    "start = (jnp.full(S, -jnp.inf), jnp.zeros(S), jnp.zeros((S, d))) -> start = (jnp.full(S, -jnp.inf), jnp.ones(S), jnp.zeros((S, d)))": "The first block multiplies what is carried by exp(-inf), which is 0.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_never_empty": "There is at least one query and one key.",
}
