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
# Plain attention makes the whole table of scores.
# Do: Loop over blocks of keys, and carry maximum, sum and weighted sum.
# At most half of the points.
# Fails: test_no_table_is_made, test_no_table_is_kept_for_the_gradients
def flash_attention(q, k, v, block):
    return jax.nn.softmax(q @ k.T / math.sqrt(q.shape[1]), axis=-1) @ v


# %% no_checkpoint
# Without `jax.checkpoint`, the scan keeps the exponentials of all blocks for the backward pass.
# Do: Put `jax.checkpoint` around the step of the scan.
# Fails: test_no_table_is_kept_for_the_gradients
def flash_attention(q, k, v, block):
    return loop(q, k, v, block, add)


# %% table_beforehand
# The scores of all blocks are computed before the loop.
# Do: Compute the scores of a block inside of the step.
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
# The sums of the blocks before aren't corrected, if a larger score comes.
# Do: Multiply both sums by exp(old maximum - new maximum) before you add.
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
# Only the weighted sum is corrected, and not the sum of the weights.
# Do: Correct both sums.
# Fails: test_rows_are_averages_over_all_blocks, test_large_scores_in_any_order,
# test_no_table_is_made, test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow,
# test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        new, _, weighted = add(top, total, weighted, scores, values)
        return new, total + jnp.exp(scores - new[:, None]).sum(axis=1), weighted

    return loop(q, k, v, block, step, scan=lean_scan)


# %% mean_of_blocks
# The softmax of each block is taken, and all blocks count the same.
# Do: Divide once, at the end: the blocks have different sums.
# Fails: test_rows_are_averages_over_all_blocks, test_large_scores_in_any_order,
# test_no_table_is_made, test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow,
# test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        return top, total + 1, weighted + jax.nn.softmax(scores) @ values

    return loop(q, k, v, block, step, scan=lean_scan)


# %% no_maximum
# The exponentials are added as they are, and overflow.
# Do: Carry the largest score so far, and subtract it.
# Fails: test_large_scores_in_any_order, test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        weights = jnp.exp(scores)
        return top, total + weights.sum(axis=1), weighted + weights @ values

    return loop(q, k, v, block, step, scan=lean_scan)


# %% starts_at_zero
# The maximum starts at 0, so scores far below 0 have no weight.
# Do: Begin with -inf as the maximum.
# Fails: test_large_scores_in_any_order, test_details
def flash_attention(q, k, v, block):
    return loop(q, k, v, block, add, low=0.0, scan=lean_scan)


# %% maximum_of_the_first_block
# The maximum of the first block is kept for all.
# Do: Take the larger one of the old maximum and that of the block.
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
# One maximum for all queries: the others have nothing but zeros.
# Do: Give each query a maximum of its own: `max(axis=1)`.
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
# Fails: test_rows_are_averages_over_all_blocks, test_large_scores_in_any_order,
# test_no_table_is_made, test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow,
# test_details
def flash_attention(q, k, v, block, solution=flash_attention):
    return solution(q * q.shape[1] ** 0.5, k, v, block)


# %% python_loop
# A Python loop over the blocks: the program has a copy of the step for each.
# Do: Use `lax.scan` over the blocks.
# Fails: test_the_program_does_not_grow
def flash_attention(q, k, v, block):
    def unrolled(one, state, blocks):
        for pair in zip(*blocks, strict=True):
            state, _ = jax.checkpoint(one)(state, pair)
        return state, None

    return loop(q, k, v, block, add, scan=unrolled)
