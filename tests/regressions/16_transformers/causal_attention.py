"""What the suite of causal_attention once missed; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
import numpy as np


def mask_of(real):
    return jnp.tril(jnp.ones((real.size, real.size), bool)) & real


def scores_of(q, k):
    return q @ k.T / math.sqrt(q.shape[-1])


# %% padding_at_the_end
# The tokens are counted, and taken to stand at the start.
# Fails: test_rows_that_see_nothing, test_nothing_gets_out_of_the_padding,
# test_no_gradient_goes_into_the_padding, test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real, solution=causal_attention):  # noqa: F821
    return solution(q, k, v, jnp.arange(real.size) < real.sum())


# %% one_maximum_for_all
# The largest of all scores is subtracted, and in a row of low scores all exponentials are 0.
# Fails: test_large_scores
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    sees = mask_of(real) & real[:, None]
    scores = jnp.where(sees, scores_of(q, k), -1e9)
    weights = jnp.where(sees, jnp.exp(scores - jax.lax.stop_gradient(scores.max())), 0)
    total = weights.sum(axis=-1, keepdims=True)
    return weights @ v / jnp.where(total == 0, 1, total)


# %% maximum_of_the_unseen
# The maximum is taken before the mask, so a high score in the future makes all weights 0.
# Fails: test_large_scores
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    scores = scores_of(q, k)
    scores = scores - jax.lax.stop_gradient(scores.max(axis=-1, keepdims=True))
    weights = jnp.where(mask_of(real) & real[:, None], jnp.exp(scores), 0)
    total = weights.sum(axis=-1, keepdims=True)
    return weights @ v / jnp.where(total == 0, 1, total)


# %% float32_result
# The scores are float32, and so is the result, also for bfloat16.
# Fails: test_details
def causal_attention(q, k, v, real, solution=causal_attention):
    return solution(*(x.astype(jnp.float32) for x in (q, k, v)), real)


# %% tokens_by_index
# The tokens are picked by a mask, which needs its values.
# Fails: test_rows_that_see_nothing, test_no_gradient_goes_into_the_padding, test_large_scores,
# test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real, solution=causal_attention):
    at = np.flatnonzero(np.asarray(real))
    found = solution(q[at], k[at], v[at], jnp.ones(at.size, bool))
    return jnp.zeros_like(v).at[at].set(found)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v)) -> q, k, v = (jnp.where(real[:, None], x, 1) for x in (q, k, v))": "Any finite number does: tokens don't see padding, and its rows are replaced.",
    "weights = jax.nn.softmax(jnp.where(sees, scores, jnp.finfo(scores.dtype).min), axis=-1) -> weights = jax.nn.softmax(jnp.where(sees, scores, jnp.finfo(scores.dtype).min), axis=1)": "There are two axes.",
    "weights = jax.nn.softmax(jnp.where(sees, scores, jnp.finfo(scores.dtype).min), axis=-1) -> weights = jax.nn.softmax(jnp.where(sees, scores, jnp.finfo(scores.dtype).min))": "The last axis is the default.",
    "scores = q @ k.T / math.sqrt(q.shape[-1]) -> scores = q @ k.T / math.sqrt(q.shape[1])": "There are two axes.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty": "The text asks for at least one position.",
    "argument_no_integers": "The text asks for floats.",
    "result_without_nan": "The text allows no NaN at a token, and no result is NaN.",
    "argument_without_nan": "NaN stands at padding only, and changes nothing there.",
}


# %% lowest_float32
# The lowest number of float32 is -inf in bfloat16.
# Fails: test_details
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    weights = jax.nn.softmax(jnp.where(mask_of(real), scores_of(q, k), -3.4028235e38), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)
