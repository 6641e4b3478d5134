"""What learners get wrong in causal_attention; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp


def mask_of(real):
    return jnp.tril(jnp.ones((real.size, real.size), bool)) & real


def scores_of(q, k):
    return q @ k.T / math.sqrt(q.shape[-1])


# %% minus_infinity
# Scores of unseen positions are -inf, and a row of -inf gives NaN.
# Do: Give rows that see nothing a finite score, and replace their result by 0. Also clean v.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_rows_that_see_nothing, test_nothing_gets_out_of_the_padding,
# test_no_gradient_goes_into_the_padding, test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real):
    weights = jax.nn.softmax(jnp.where(mask_of(real), scores_of(q, k), -jnp.inf), axis=-1)
    return weights @ v


# %% where_afterwards
# The NaN of a row that sees nothing is replaced in the result, but its gradient is still NaN.
# Do: Keep NaN out of the softmax itself: use a finite number far below all scores.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_rows_that_see_nothing, test_no_gradient_goes_into_the_padding, test_details
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    weights = jax.nn.softmax(jnp.where(mask_of(real), scores_of(q, k), -jnp.inf), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)


# %% large_negative
# With -1e9 in place of -inf, a row that sees nothing gets the average of everything.
# Do: Replace the padding by 0 at the start, and its rows of the result at the end.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_rows_that_see_nothing, test_nothing_gets_out_of_the_padding,
# test_no_gradient_goes_into_the_padding, test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real):
    weights = jax.nn.softmax(jnp.where(mask_of(real), scores_of(q, k), -1e9), axis=-1)
    return weights @ v


# %% library
# JAX's own attention, unchanged: padding gets a result, and NaN in the padding spreads.
# Do: Clean q, k and v before the call, and replace the rows of padding by 0 after it.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_rows_that_see_nothing, test_nothing_gets_out_of_the_padding,
# test_no_gradient_goes_into_the_padding, test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real):
    q, k, v = (x[:, None] for x in (q, k, v))
    return jax.nn.dot_product_attention(q, k, v, mask=real[None, None, :], is_causal=True)[:, 0]


# %% spoiled_values
# The padding has the weight 0, and 0 times NaN is NaN.
# Do: Replace the padding by 0 with `jnp.where`, before the product.
# Breaks: Returns 1
# Fails: test_nothing_gets_out_of_the_padding, test_no_gradient_goes_into_the_padding
def causal_attention(q, k, v, real):
    sees = mask_of(real)
    weights = jax.nn.softmax(jnp.where(sees, scores_of(q, k), -1e9), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)


# %% values_alone
# Only the values are cleaned: NaN in a query or a key comes back in the backward pass.
# Do: Clean q and k as well as v.
# Breaks: Returns 3
# Fails: test_no_gradient_goes_into_the_padding
def causal_attention(q, k, v, real):
    v = jnp.where(real[:, None], v, 0)
    weights = jax.nn.softmax(jnp.where(mask_of(real), scores_of(q, k), -1e9), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)


# %% float_mask
# Padding is multiplied by 0, and NaN times 0 is NaN.
# Do: Use `jnp.where`, since a product with 0 keeps NaN.
# Breaks: Returns 1
# Fails: test_nothing_gets_out_of_the_padding, test_no_gradient_goes_into_the_padding
def causal_attention(q, k, v, real):
    q, k, v = (x * real[:, None].astype(x.dtype) for x in (q, k, v))
    weights = jax.nn.softmax(jnp.where(mask_of(real), scores_of(q, k), -1e9), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)


# %% sees_the_future
# The mask is transposed: each position sees those after it.
# Do: Use `jnp.tril`: row t has its True at s <= t.
# Breaks: Returns 1
# Fails: test_tokens_see_tokens_up_to_themselves, test_rows_that_see_nothing,
# test_nothing_gets_out_of_the_padding, test_no_gradient_goes_into_the_padding, test_large_scores,
# test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    sees = jnp.triu(jnp.ones((real.size, real.size), bool)) & real
    weights = jax.nn.softmax(jnp.where(sees, scores_of(q, k), -1e9), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)


# %% padding_in_the_rows
# `real` is applied to the rows of the mask, so tokens see the padding.
# Do: Apply `real` to the columns, so that no position sees padding.
# Breaks: Returns 1
# Fails: test_rows_that_see_nothing, test_nothing_gets_out_of_the_padding,
# test_no_gradient_goes_into_the_padding, test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    sees = jnp.tril(jnp.ones((real.size, real.size), bool)) & real[:, None]
    weights = jax.nn.softmax(jnp.where(sees, scores_of(q, k), -1e9), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)


# %% weights_not_shared_out
# The mask is applied to the weights, which then don't add up to 1.
# Do: Apply the mask to the scores, before the softmax.
# Breaks: Returns 1
# Fails: test_tokens_see_tokens_up_to_themselves, test_rows_that_see_nothing,
# test_nothing_gets_out_of_the_padding, test_no_gradient_goes_into_the_padding, test_large_scores,
# test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    weights = jnp.where(mask_of(real), jax.nn.softmax(scores_of(q, k), axis=-1), 0)
    return jnp.where(real[:, None], weights @ v, 0)


# %% no_scale
# The scores aren't divided by the root of d.
# Do: Divide the scores by the square root of d.
# Breaks: Returns 1
# Fails: test_tokens_see_tokens_up_to_themselves, test_rows_that_see_nothing,
# test_nothing_gets_out_of_the_padding, test_no_gradient_goes_into_the_padding, test_large_scores,
# test_a_batch_of_sequences
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    weights = jax.nn.softmax(jnp.where(mask_of(real), q @ k.T, -1e9), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)


# %% root_of_the_length
# The scores are divided by the root of T, the number of positions.
# Do: Divide by the root of d, the number of columns of q.
# Breaks: Returns 1
# Fails: test_tokens_see_tokens_up_to_themselves, test_rows_that_see_nothing,
# test_nothing_gets_out_of_the_padding, test_no_gradient_goes_into_the_padding, test_large_scores,
# test_a_batch_of_sequences
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    scores = jnp.where(mask_of(real), q @ k.T / math.sqrt(len(q)), -1e9)
    return jnp.where(real[:, None], jax.nn.softmax(scores, axis=-1) @ v, 0)


# %% no_maximum
# The exponentials of the raw scores overflow.
# Do: First subtract the largest score of each row, or use `jax.nn.softmax`.
# Breaks: Details 1
# Fails: test_large_scores
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    weights = jnp.where(mask_of(real), jnp.exp(scores_of(q, k)), 0)
    total = weights.sum(axis=-1, keepdims=True)
    return jnp.where(real[:, None], weights @ v / jnp.where(total == 0, 1, total), 0)


# %% once missed
import numpy as np


# %% padding_at_the_end
# The tokens are counted and assumed to be at the start.
# Breaks: Returns 1
# Fails: test_rows_that_see_nothing, test_nothing_gets_out_of_the_padding,
# test_no_gradient_goes_into_the_padding, test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real, solution=causal_attention):
    return solution(q, k, v, jnp.arange(real.size) < real.sum())


# %% one_maximum_for_all
# The largest of all scores is subtracted, and in a row of low scores all exponentials are 0.
# Breaks: Details 1
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
# Do: First apply the mask to the scores, then take the maximum.
# Breaks: Details 1
# Fails: test_large_scores
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    scores = scores_of(q, k)
    scores = scores - jax.lax.stop_gradient(scores.max(axis=-1, keepdims=True))
    weights = jnp.where(mask_of(real) & real[:, None], jnp.exp(scores), 0)
    total = weights.sum(axis=-1, keepdims=True)
    return weights @ v / jnp.where(total == 0, 1, total)


# %% float32_result
# The scores are float32, and so is the result, even for bfloat16.
# Breaks: Details 2
# Fails: test_details
def causal_attention(q, k, v, real, solution=causal_attention):
    return solution(*(x.astype(jnp.float32) for x in (q, k, v)), real)


# %% tokens_by_index
# The tokens are picked by a mask, which needs its values.
# Breaks: Returns 4
# Fails: test_rows_that_see_nothing, test_no_gradient_goes_into_the_padding, test_large_scores,
# test_a_batch_of_sequences, test_details
def causal_attention(q, k, v, real, solution=causal_attention):
    at = np.flatnonzero(np.asarray(real))
    found = solution(q[at], k[at], v[at], jnp.ones(at.size, bool))
    return jnp.zeros_like(v).at[at].set(found)


# %% lowest_float32
# The lowest number of float32 is -inf in bfloat16.
# Breaks: Details 2
# Fails: test_details
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    weights = jax.nn.softmax(jnp.where(mask_of(real), scores_of(q, k), -3.4028235e38), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)


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
