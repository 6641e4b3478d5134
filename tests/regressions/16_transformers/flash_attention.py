"""What the suite of flash_attention once missed; each cell is a suffix to the solution."""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
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


# %% stopped_weights
# The weights have no gradient, only the values.
# Fails: test_no_table_is_kept_for_the_gradients, test_the_program_does_not_grow, test_details
def flash_attention(q, k, v, block, solution=flash_attention):  # noqa: F821
    return solution(lax.stop_gradient(q), lax.stop_gradient(k), v, block)


# %% repaired
# NaN is replaced by 0, and infinity by the largest number.
# Fails: test_details
def flash_attention(q, k, v, block, solution=flash_attention):
    return jnp.nan_to_num(solution(q, k, v, block))


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


# %% backward_without_the_maximum
# A backward pass of one's own takes exp of the scores as they are, which overflows from 89 on.
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
# Scores beyond 88 have no gradient, for fear that their exponentials overflow.
# Fails: test_details
def flash_attention(q, k, v, block):
    def step(top, total, weighted, scores, values):
        scores = jnp.where(jnp.abs(scores) < 88, scores, lax.stop_gradient(scores))
        return add(top, total, weighted, scores, values)

    return loop(q, k, v, block, step, scan=lean_scan)
