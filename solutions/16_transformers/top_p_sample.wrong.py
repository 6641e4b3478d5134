"""What learners get wrong in top_p_sample; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def drawn(key, logits, keep):
    return jax.random.categorical(key, jnp.where(keep, logits, -jnp.inf), axis=-1)


def nucleus(logits, p, before=True, axis=-1):
    order = jnp.argsort(logits, axis=axis, descending=True)
    sizes = jnp.take_along_axis(jax.nn.softmax(logits, axis=axis), order, axis=axis)
    sums = jnp.cumsum(sizes, axis=axis) - (sizes if before else 0)
    return order, sums < p


# %% without_the_crossing_token
# The token that crosses p is left out, so the kept ones sum to less than p.
# Do: Keep a token if the sum of those before it is less than p.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_most_probable_token_always_remains, test_the_set_is_the_smallest_one_also_with_ties,
# test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    order, keep = nucleus(logits.astype(jnp.float32), p, before=False)
    return drawn(key, logits, jnp.take_along_axis(keep, jnp.argsort(order, axis=-1), axis=-1))


# %% mask_in_sorted_order
# The mask belongs to the sorted tokens, but the logits aren't sorted.
# Do: Restore the mask to the order of the tokens, or draw from the sorted logits.
# Breaks: Returns 3
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_most_probable_token_always_remains, test_the_set_is_the_smallest_one_also_with_ties,
# test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    return drawn(key, logits, nucleus(logits.astype(jnp.float32), p)[1])


# %% place_in_sorted_order
# The place in the sorted order is returned instead of the token.
# Do: Look the token up in the order.
# Breaks: Returns 1
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_most_probable_token_always_remains, test_the_set_is_the_smallest_one_also_with_ties,
# test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    logits = logits.astype(jnp.float32)
    order, keep = nucleus(logits, p)
    return drawn(key, jnp.take_along_axis(logits, order, axis=-1), keep)


# %% mask_by_the_order
# The mask is reordered with the order itself instead of its inverse.
# Do: Take the mask at the place of each token: the argsort of the order.
# Breaks: Returns 3
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_most_probable_token_always_remains, test_the_set_is_the_smallest_one_also_with_ties,
# test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    order, keep = nucleus(logits.astype(jnp.float32), p)
    return drawn(key, logits, jnp.take_along_axis(keep, order, axis=-1))


# %% least_probable_first
# The tokens are sorted from the least probable to the most probable.
# Do: Sort from large to small: `descending=True`.
# Breaks: Returns 2
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_most_probable_token_always_remains, test_the_set_is_the_smallest_one_also_with_ties,
# test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    logits = logits.astype(jnp.float32)
    order = jnp.argsort(logits, axis=-1)
    sizes = jnp.take_along_axis(jax.nn.softmax(logits, axis=-1), order, axis=-1)
    keep = jnp.cumsum(sizes, axis=-1) - sizes < p
    return drawn(key, logits, jnp.take_along_axis(keep, jnp.argsort(order, axis=-1), axis=-1))


# %% threshold
# All tokens as probable as the last one of the nucleus are kept, so ties make the set too large.
# Do: Keep tokens by their place in the order, not by their probability.
# Breaks: Details 1
# Fails: test_the_set_is_the_smallest_one_also_with_ties, test_details
def top_p_sample(key, logits, p):
    logits = logits.astype(jnp.float32)
    order, keep = nucleus(logits, p)
    kept = jnp.where(keep, jnp.take_along_axis(logits, order, axis=-1), jnp.inf)
    return drawn(key, logits, logits >= kept.min(axis=-1, keepdims=True))


# %% each_token_against_p
# A token is kept if its own probability is at least 1 - p.
# Do: Sum the probabilities in their order.
# Breaks: Returns 2
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_set_is_the_smallest_one_also_with_ties, test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    sizes = jax.nn.softmax(logits.astype(jnp.float32), axis=-1)
    keep = (sizes >= 1 - p) | (sizes == sizes.max(axis=-1, keepdims=True))
    return drawn(key, logits, keep)


# %% equal_chances
# All tokens of the nucleus are drawn equally often.
# Do: Keep the logits of the nucleus as they are.
# Breaks: Returns 3
# Fails: test_tokens_come_up_as_often_as_their_probabilities_say
def top_p_sample(key, logits, p):
    order, keep = nucleus(logits.astype(jnp.float32), p)
    keep = jnp.take_along_axis(keep, jnp.argsort(order, axis=-1), axis=-1)
    return drawn(key, jnp.zeros(logits.shape), keep)


# %% probabilities_as_logits
# `categorical` gets probabilities, and treats them as logits.
# Do: Pass logits, or the logarithm of the probabilities.
# Breaks: Returns 3
# Fails: test_tokens_come_up_as_often_as_their_probabilities_say
def top_p_sample(key, logits, p):
    logits = logits.astype(jnp.float32)
    order, keep = nucleus(logits, p)
    keep = jnp.take_along_axis(keep, jnp.argsort(order, axis=-1), axis=-1)
    return drawn(key, jax.nn.softmax(logits, axis=-1), keep)


# %% one_noise_for_all_rows
# All rows use the same random numbers.
# Do: Draw for all rows in one call, or split the key.
# Breaks: Returns 3
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_set_is_the_smallest_one_also_with_ties, test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p, solution=top_p_sample):
    one = jax.vmap(lambda row: solution(key, row[None], p)[0])
    return one(logits)


# %% zero_in_place_of_minus_infinity
# The masked logits are 0, and a logit of 0 has a weight.
# Do: Set masked logits to -inf.
# Breaks: Returns 3
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_most_probable_token_always_remains, test_the_set_is_the_smallest_one_also_with_ties,
# test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    order, keep = nucleus(logits.astype(jnp.float32), p)
    keep = jnp.take_along_axis(keep, jnp.argsort(order, axis=-1), axis=-1)
    return jax.random.categorical(key, jnp.where(keep, logits, 0.0), axis=-1)


# %% shape_by_value
# The number of kept tokens is a shape, so the function works on one row at a time and not under jit.
# Do: Mask the logits. Their shape stays as it is.
# Breaks: Returns 5
# Fails: test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    _, keep = nucleus(logits.astype(jnp.float32), p)
    count = int(keep.sum(axis=-1).max())
    order, keep = nucleus(logits.astype(jnp.float32), p)
    best, order = jax.lax.top_k(logits.astype(jnp.float32), count)
    place = drawn(key, best, keep[:, :count])
    return jnp.take_along_axis(order, place[:, None], axis=-1)[:, 0]


# %% largest_of_the_nucleus
# The most probable token is returned, so nothing is random.
# Do: Draw from the nucleus with the key.
# Breaks: Returns 4
# Fails: test_the_nucleus_is_drawn_from, test_tokens_come_up_as_often_as_their_probabilities_say,
# test_the_set_is_the_smallest_one_also_with_ties, test_one_program_serves_every_p, test_details
def top_p_sample(key, logits, p):
    return jnp.argmax(logits, axis=-1).astype(jnp.int32)


# %% plain_exponential
# The exponentials of large logits are infinite.
# Do: Use `jax.nn.softmax`, or subtract the largest logit first.
# Breaks: Details 3
# Fails: test_details
def top_p_sample(key, logits, p):
    logits = logits.astype(jnp.float32)
    sizes = jnp.exp(logits) / jnp.exp(logits).sum(axis=-1, keepdims=True)
    order = jnp.argsort(sizes, axis=-1, descending=True)
    sizes = jnp.take_along_axis(sizes, order, axis=-1)
    keep = jnp.cumsum(sizes, axis=-1) - sizes < p
    return drawn(key, logits, jnp.take_along_axis(keep, jnp.argsort(order, axis=-1), axis=-1))


# %% once missed


# %% finite_in_place_of_minus_infinity
# A moderate number takes the place of -inf, so impossible tokens have a probability.
# Breaks: Details 2
# Fails: test_details
def top_p_sample(key, logits, p, solution=top_p_sample):
    return solution(key, jnp.where(jnp.isneginf(logits), -5.0, logits), p)
