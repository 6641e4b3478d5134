"""Wrong answers to pool_words; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _scores(words, count, query):
    is_word = jnp.arange(words.shape[-2]) < jnp.asarray(count)[..., None]
    return jnp.where(is_word, words @ query, -jnp.inf)


def _mean(weights, words):
    return jnp.einsum("...t,...td->...d", weights, words)


# %% as_it_was
# The maximum and the sum are taken over the whole batch.
# Do: Add up the weights of each sentence.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_a_sentence_is_the_same_in_a_batch, test_scores_of_another_sentence_change_nothing,
# test_the_axis_of_the_words_is_the_last_but_one, test_it_can_be_transformed
def pool_words(words, count, query):
    scores = _scores(words, count, query)
    weights = jnp.exp(scores - scores.max())
    return _mean(weights / weights.sum(), words)


# %% own_sum_only
# Each sentence has its own sum, but the maximum is taken over the whole batch.
# Do: Ask what the exponential of a number far below the maximum is.
# Breaks: Returns 4
# Fails: test_scores_of_another_sentence_change_nothing
def pool_words(words, count, query):
    scores = _scores(words, count, query)
    weights = jnp.exp(scores - scores.max())
    return _mean(weights / weights.sum(axis=-1, keepdims=True), words)


# %% first_axis
# The softmax goes along the first axis, which counts words only where there is no batch.
# Do: Count the axes of the scores, alone and in a batch.
# Breaks: Returns 2
# Fails: test_a_sentence_is_the_same_in_a_batch, test_scores_of_another_sentence_change_nothing,
# test_the_axis_of_the_words_is_the_last_but_one, test_it_can_be_transformed
def pool_words(words, count, query):
    scores = _scores(words, count, query)
    weights = jnp.exp(scores - scores.max(axis=-1, keepdims=True))
    return _mean(weights / weights.sum(axis=0), words)


# %% second_axis
# The words are expected along axis 1, as in a batch with one axis.
# Do: Count the word axis from the end.
# Breaks: Returns 4
# Fails: test_the_axis_of_the_words_is_the_last_but_one
def pool_words(words, count, query):
    scores = _scores(words, count, query)
    return _mean(jax.nn.softmax(scores, axis=min(1, scores.ndim - 1)), words)


# %% without_keepdims
# The sums lack the word axis, so sentence and word are mixed up where they are equally many.
# Do: Print the shapes of the weights and of their sums.
# Breaks: Returns 2
# Fails: test_the_axis_of_the_words_is_the_last_but_one
def pool_words(words, count, query):
    scores = _scores(words, count, query)
    weights = jnp.exp(scores - scores.max(axis=-1, keepdims=True))
    sums = weights.sum(axis=-1)
    if sums.shape[-1:] != weights.shape[-1:]:
        sums = sums[..., None]
    return _mean(weights / sums, words)


# %% times_the_batch
# The vectors are multiplied by the number of sentences, which is right only if all sentences are
# alike.
# Do: Compare two sentences whose scores differ much.
# Breaks: Returns 4
# Fails: test_a_sentence_is_the_same_in_a_batch, test_scores_of_another_sentence_change_nothing,
# test_the_axis_of_the_words_is_the_last_but_one, test_it_can_be_transformed
def pool_words(words, count, query):
    scores = _scores(words, count, query)
    weights = jnp.exp(scores - scores.max())
    return _mean(weights / weights.sum(), words) * jnp.asarray(count).size


# %% padding_counts
# The padding has a weight, since its scores are set to 0.
# Do: Compute the exponential of 0.
# Breaks: Returns 3
# Fails: test_one_sentence_has_its_vector, test_padding_has_no_weight,
# test_a_sentence_is_the_same_in_a_batch, test_scores_of_another_sentence_change_nothing,
# test_the_axis_of_the_words_is_the_last_but_one, test_it_can_be_transformed
def pool_words(words, count, query):
    is_word = jnp.arange(words.shape[-2]) < jnp.asarray(count)[..., None]
    scores = jnp.where(is_word, words @ query, 0)
    return _mean(jax.nn.softmax(scores, axis=-1), words)


# %% longest_count
# The longest sentence determines which rows are words for all.
# Do: Give a batch a short sentence and a long one.
# Breaks: Returns 3
# Fails: test_a_sentence_is_the_same_in_a_batch, test_scores_of_another_sentence_change_nothing,
# test_the_axis_of_the_words_is_the_last_but_one, test_it_can_be_transformed
def pool_words(words, count, query):
    scores = _scores(words, jnp.max(jnp.asarray(count)), query)
    return _mean(jax.nn.softmax(scores, axis=-1), words)


# %% no_weights_learned
# The weights are treated as constants, so the gradient is incomplete.
# Do: Compare the gradient with differences of values.
# Breaks: Returns 5
# Fails: test_it_can_be_transformed
def pool_words(words, count, query):
    weights = jax.nn.softmax(_scores(words, count, query), axis=-1)
    return _mean(jax.lax.stop_gradient(weights), words)


# %% once missed
# %% one_sentence_as_a_batch
# One sentence becomes a batch of one, whose axis stays.
# Breaks: Returns 1
# Fails: test_one_sentence_has_its_vector, test_padding_has_no_weight
def pool_words(words, count, query):
    if words.ndim == 2:
        words, count = words[None], jnp.asarray(count)[None]
    return _mean(jax.nn.softmax(_scores(words, count, query), axis=-1), words)
