"""pool_words(words, count, query): one vector for each sentence, whatever stands beside it.

The stub is a program that is right for one sentence, and whose weights add up to 1 over a batch.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, *front, t=6, d=4):
    """Sentences, their numbers of words, and a query."""
    words = rng.normal(size=(*front, t, d)).astype(np.float32)
    count = 1 + rng.permutation(int(np.prod(front))).reshape(front) % t
    return words, count.astype(np.int32), rng.normal(size=d).astype(np.float32)


def vector(words, count, query):
    """The vector of one sentence, in float64."""
    own = np.float64(words)[:count]
    scores = own @ query
    weights = np.exp(scores - scores.max())
    return weights @ own / weights.sum()


def vectors(words, count, query):
    """The vector of each sentence alone."""
    front = np.shape(count)
    found = [vector(words[place], count[place], query) for place in np.ndindex(front)]
    return np.reshape(found, (*front, words.shape[-1]))


def check(found, *given):
    assert_close(found, vectors(*given), atol=1e-5)


@pytest.mark.hint("For one sentence, compute the weights on paper.")
def test_one_sentence_has_its_vector(submission, rng):
    """A sentence without a batch has the weighted mean of its words."""
    words, _, query = draw(rng, t=5, d=3)
    check(submission.pool_words(words, np.int32(4), query), words, np.int32(4), query)


@pytest.mark.hint("What is the weight of a row that isn't a word?")
def test_padding_has_no_weight(submission, rng):
    """Rows after the last word change nothing, even where their scores would be the largest."""
    words, _, query = draw(rng)
    words[2:] = 20 * query
    check(submission.pool_words(words, np.int32(2), query), words, np.int32(2), query)


@pytest.mark.points(4)
@pytest.mark.hint("What do the weights of each sentence add up to?")
def test_a_sentence_is_the_same_in_a_batch(submission, rng):
    """In a batch of eight, each sentence has the vector that it has alone."""
    given = draw(rng, 8)
    check(submission.pool_words(*given), *given)
    given = draw(rng, 1)
    check(submission.pool_words(*given), *given)


@pytest.mark.points(2)
@pytest.mark.hint("Which maximum is subtracted from the scores of a sentence?")
def test_scores_of_another_sentence_change_nothing(submission, rng):
    """A sentence keeps its vector next to one whose scores are higher by hundreds."""
    words, count, query = draw(rng, 3)
    query = query / np.linalg.norm(query)
    words[1] += 300 * query
    found = submission.pool_words(words, count, query)
    assert_close(found, vectors(words, count, query), rtol=1e-4, atol=2e-3)


@pytest.mark.hint("Which axis counts the words, if there are as many sentences as words?")
def test_the_axis_of_the_words_is_the_last_but_one(submission, rng):
    """Any leading axes count sentences, even if all lengths are equal."""
    for front in ((4,), (4, 4)):
        given = draw(rng, *front, t=4, d=4)
        check(submission.pool_words(*given), *given)


@pytest.mark.hint("Is the gradient in a sentence also its own?")
def test_it_can_be_transformed(submission, rng):
    """Under `jit` and `vmap`, everything is the same, and no sentence has a gradient in another
    one."""
    words, count, query = draw(rng, 3, 2)
    found = submission.pool_words.vmap(in_axes=(0, 0, None)).jit()(words, count, query)
    check(found, words, count, query)

    def second(pool_words, words, count, query):
        return jnp.sum(pool_words(words, count, query)[1])

    words, count, query = draw(rng, 3)
    count[1] = 4
    slopes = submission.pool_words.used_by(second).grad().jit()(words, count, query)
    own, n = np.float64(words[1]), count[1]
    weights = np.exp(own[:n] @ query)
    weights /= weights.sum()
    values = own[:n].sum(axis=1)
    expected = np.zeros(words.shape)
    change = weights * (values - weights @ values)
    expected[1, :n] = weights[:, None] + change[:, None] * np.float64(query)
    assert_close(slopes, expected, atol=1e-5)
