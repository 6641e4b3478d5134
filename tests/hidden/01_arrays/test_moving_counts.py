"""moving_counts(counts, enter, leave): each word counts as often as it enters or leaves.

The stub is a program that counts a word once in a call, however often it comes.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close

# Two frequent words, and some rare ones.
CHANCES = np.array([0.4, 0.3, 0.1, 0.1, 0.05, 0.05])


def draw(rng, words=6):
    return rng.integers(20, 40, size=words).astype(np.int32)


def frequent(rng, size, words=6):
    """Words of which some come several times."""
    chances = np.resize(CHANCES, words)
    found = rng.choice(words, p=chances / chances.sum(), size=size)
    found[1] = found[0]
    return found.astype(np.int32)


def changed(counts, enter, leave):
    """One word after the other."""
    counts = counts.copy()
    np.add.at(counts, enter[enter >= 0], 1)
    np.subtract.at(counts, leave[leave >= 0], 1)
    return counts


@pytest.mark.hint("Which words enter, and which leave?")
def test_different_words_are_right(submission, rng):
    """Words that occur once add or subtract one."""
    for _ in range(2):
        counts = draw(rng)
        enter = rng.permutation(6)[:3].astype(np.int32)
        leave = rng.permutation(6)[:2].astype(np.int32)
        found = submission.moving_counts(counts, enter, leave)
        assert_close(found, changed(counts, enter, leave))


@pytest.mark.hint("-1 isn't a word, neither the last one nor the first one.")
def test_no_word_changes_nothing(submission, rng):
    """-1 changes no count, wherever and however often it occurs."""
    counts, none = draw(rng), np.full(4, -1, np.int32)
    one = np.append(none, rng.integers(6)).astype(np.int32)
    for enter, leave in ((none, none[:1]), (one, none[:2]), (none[:1], one), (none[:0], one)):
        found = submission.moving_counts(counts, enter, leave)
        assert_close(found, changed(counts, enter, leave))


@pytest.mark.points(3)
@pytest.mark.hint("A word enters three times in one call. How often does your program count it?")
def test_a_word_that_enters_often(submission, rng):
    """A word that enters several times is counted each time."""
    for size, words in ((12, 6), (3, 6), (4, 1)):
        counts, enter = draw(rng, words), frequent(rng, size, words)
        leave = rng.permutation(words)[:2].astype(np.int32)
        found = submission.moving_counts(counts, enter, leave)
        assert_close(found, changed(counts, enter, leave))


@pytest.mark.points(2)
@pytest.mark.hint("A word leaves three times in one call. How often does your program count it?")
def test_a_word_that_leaves_often(submission, rng):
    """A word that leaves several times is counted each time, even if it also enters."""
    counts, leave = draw(rng), frequent(rng, 12)
    for enter in (rng.permutation(6)[:2].astype(np.int32), leave[:1], leave):
        found = submission.moving_counts(counts, enter, leave)
        assert_close(found, changed(counts, enter, leave))


def stream(moving_counts, counts, batches):
    """A window of one batch moves along the stream."""

    def step(state, enter):
        counts, leave = state
        counts = moving_counts(counts, enter, leave)
        return (counts, enter), counts

    return jax.lax.scan(step, (counts, 0 * batches[0] - 1), batches)[1]


@pytest.mark.points(2)
@pytest.mark.hint("Do the counts stay right, call after call, inside a program?")
def test_a_window_moves_along_a_stream(submission, rng):
    """In a scan, the counts are those of the words in the window, after each step."""
    batches = frequent(rng, 10 * 16).reshape(10, 16)
    batches[rng.random(batches.shape) < 0.1] = -1
    found = submission.moving_counts.used_by(stream)(np.zeros(6, np.int32), batches)
    expected = [np.bincount(batch[batch >= 0], minlength=6) for batch in batches]
    assert_close(found, np.stack(expected).astype(np.int32))


@pytest.mark.hint("Does one operation count all words, without a table of words and counts?")
def test_many_words_need_a_small_program(submission, rng):
    """320 words and counts need a program of fewer operations, and no table of M x K numbers."""
    counts = draw(rng, 320) + np.int32(2**30)
    given = counts, frequent(rng, 320, 320), frequent(rng, 320, 320)
    program = submission.moving_counts.program(*given)
    assert program.size < 320
    assert program.elements < 320 * 320 / 4
    assert_close(program(*given), changed(*given))
