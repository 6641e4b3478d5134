"""lm_loss(logits, tokens): what each row says of the next token.

The stub is a program that compares each row with the token that the row has seen.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, lengths, size, vocabulary=7):
    """Logits, and texts of these lengths."""
    logits = rng.normal(size=(len(lengths), size, vocabulary)) * 2
    tokens = rng.integers(vocabulary, size=(len(lengths), size))
    is_real = np.arange(size) < np.reshape(lengths, (-1, 1))
    return logits.astype(np.float32), np.where(is_real, tokens, -1).astype(np.int32)


def exact(logits, tokens):
    """The loss and its gradient, one target after the other in float64."""
    logits, total, count = np.float64(logits), 0.0, 0
    slopes = np.zeros(logits.shape)
    for b, t in np.ndindex(len(tokens), tokens.shape[1] - 1):
        target = tokens[b, t + 1]
        if target >= 0:
            weights = np.exp(logits[b, t] - logits[b, t].max())
            weights /= weights.sum()
            total -= logits[b, t, target] - logits[b, t].max()
            total += np.log(np.exp(logits[b, t] - logits[b, t].max()).sum())
            slopes[b, t] = weights
            slopes[b, t, target] -= 1
            count += 1
    return np.asarray(total / count), slopes / count


def check(submission, logits, tokens):
    loss, slopes = exact(logits, tokens)
    found, gradient = submission.lm_loss.value_and_grad().jit()(logits, tokens)
    with case("the loss"):
        assert_close(found, loss, rtol=1e-5)
    with case("its gradient"):
        assert_close(gradient, slopes, atol=1e-5)


@pytest.mark.hint("A model that knows nothing has a loss of log V.")
def test_equal_logits_have_the_loss_of_a_guess(submission, rng):
    """If all logits of a row are equal, the loss is log V, with and without padding."""
    for lengths in ((5, 5), (5, 2, 1)):
        v = int(rng.integers(3, 60))
        logits, tokens = draw(rng, lengths, 5, v)
        logits[:] = rng.normal(size=(len(lengths), 5, 1))
        assert_close(submission.lm_loss(logits, tokens), np.log(float(v)), rtol=1e-5)


@pytest.mark.hint("What is the exponential of 1000?")
def test_large_logits_are_finite(submission, rng):
    """If logits are large, loss and gradient are finite."""
    logits, tokens = draw(rng, (4, 4), 4)
    logits[:] = 0
    logits[..., 3] = rng.uniform(2000, 5000)
    tokens[:] = 3
    found, gradient = submission.lm_loss.value_and_grad().jit()(logits, tokens)
    assert_close(found, np.float32(0), atol=1e-6)
    assert_close(gradient, np.zeros(logits.shape), atol=1e-6)
    tokens[:, 2] = 1
    check(submission, logits, tokens)


@pytest.mark.points(4)
@pytest.mark.hint("Which token does a row have to predict?")
def test_each_row_predicts_the_next_token(submission, rng):
    """In texts without padding, each row is compared with the token after it."""
    for lengths, size in (((6, 6, 6), 6), ((2,), 2)):
        check(submission, *draw(rng, lengths, size))


@pytest.mark.points(2)
@pytest.mark.hint("Which row of a short text has no target? How many targets are there?")
def test_padding_does_not_count(submission, rng):
    """Texts of unequal lengths count by their numbers of targets, and padding doesn't count."""
    for lengths in ((6, 4, 2), (6, 3, 1, 1), (2, 2)):
        check(submission, *draw(rng, lengths, 6))


@pytest.mark.points(2)
@pytest.mark.hint("Which logits have a gradient of 0?")
def test_the_last_row_has_no_target(submission, rng):
    """The last row of a text and its padding don't affect the loss."""
    logits, tokens = draw(rng, (5, 3, 1), 5)
    loss, _ = exact(logits, tokens)
    for b, length in enumerate((5, 3, 1)):
        logits[b, length - 1 :] += rng.normal(size=7) * 50
    assert_close(submission.lm_loss(logits, tokens), loss, rtol=1e-5)
