"""What the suite of attention once missed; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
from jax import lax


# %% all_pairs_of_sequences
# Scores between all sequences are computed, and only those of each sequence with itself are taken.
# Fails: test_it_is_fast
def attention(q, k, v):
    scores = jnp.einsum("btd,csd->btcs", q, k) / math.sqrt(q.shape[-1])
    own = jnp.arange(len(q))
    return jax.nn.softmax(scores[own, :, own], axis=-1) @ v


# %% chosen_after_the_softmax
# `where` chooses between two softmaxes, and the gradient passes both: 0 times infinity is NaN.
# Fails: test_details
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    plain = jnp.exp(scores)
    total = plain.sum(axis=-1, keepdims=True)
    fits = jnp.isfinite(total) & (total > 0)
    return jnp.where(fits, plain / total, jax.nn.softmax(scores)) @ v


# %% clipped_scores
# The scores are clipped where exp would overflow, so all large ones become equal.
# Fails: test_big_scores_are_no_problem, test_details
def attend(q, k, v):
    scores = jnp.clip(q @ k.T / math.sqrt(q.shape[-1]), -80, 80)
    return jax.nn.softmax(scores, axis=-1) @ v


# %% masked_sequence
# The batch becomes one long sequence with a mask: B times as many scores, and NaN goes everywhere.
# Fails: test_it_is_fast, test_details
def attention(q, k, v):
    sequence = jnp.repeat(jnp.arange(q.shape[0]), q.shape[1])
    queries, keys, values = (x.reshape(-1, x.shape[-1]) for x in (q, k, v))
    scores = queries @ keys.T / math.sqrt(q.shape[-1])
    scores = jnp.where(sequence[:, None] == sequence, scores, -jnp.inf)
    return (jax.nn.softmax(scores, axis=-1) @ values).reshape(v.shape)


# %% transposed_if_needed
# The keys are transposed only if the product raises, so never if T = d.
# Fails: test_nothing_is_transposed_when_every_shape_fits
def attend(q, k, v):
    keys = k if q.shape[1] == k.shape[0] and len(q) > 1 else k.T
    return jax.nn.softmax(jnp.dot(q, keys) / math.sqrt(q.shape[-1]), axis=-1) @ v


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


# %% big_scores_without_gradient
# Scores whose exponential would be infinite are cut out of the gradient.
# Fails: test_details
def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    scores = jnp.where(abs(scores) > 88, lax.stop_gradient(scores), scores)
    return jax.nn.softmax(scores, axis=-1) @ v
