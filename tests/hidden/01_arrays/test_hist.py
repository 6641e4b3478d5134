"""hist(idx, n): how often each number from 0 to n - 1 occurs; other numbers are not counted."""

import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, m, low, high):
    return rng.integers(low, high, size=m).astype(np.int32)


def counts(idx, n):
    return np.bincount(idx[(idx >= 0) & (idx < n)], minlength=n).astype(np.int32)


def check(result, idx, n):
    """Compares the counts. The details check that they are integers."""
    is_float = getattr(result, "dtype", None) == np.float32
    assert_close(result, counts(idx, n).astype(np.float32 if is_float else np.int32))


@pytest.mark.hint("JAX can set at an index, and it can add there. Which one counts a number twice?")
def test_duplicates_are_counted(submission, rng):
    """A number that occurs several times is counted each time; one that doesn't occur gets 0."""
    for n in (6, 1):
        idx = draw(rng, 24, 0, n)
        idx[1] = idx[0]
        check(submission.hist(idx, n), idx, n)


@pytest.mark.hint("An index beyond the end has no counter. It must not be counted at the last one.")
def test_numbers_beyond_the_end_are_dropped(submission, rng):
    """Numbers from n on are not counted."""
    for n in (6, 1):
        idx = np.append(draw(rng, 8, 0, n), [n, n + 1, 2 * n, 1000]).astype(np.int32)
        check(submission.hist(idx, n), idx, n)


@pytest.mark.points(2)
@pytest.mark.hint("Which element of an array is x[-1]?")
def test_negative_numbers_are_dropped(submission, rng):
    """Negative numbers are not counted, neither from the end nor at 0."""
    for n in (6, 1):
        idx = np.append(draw(rng, 8, 0, n), [-1, -n, -n - 1, -1000]).astype(np.int32)
        check(submission.hist(idx, n), idx, n)


@pytest.mark.points(3)
@pytest.mark.hint("Under jit, `idx` has a shape but no values, and a Python loop is unrolled.")
def test_one_program_does_not_grow(submission, rng):
    """Under `jit`, one program serves every array and has fewer operations than indices."""
    jitted = submission.hist.jit(static_argnums=1)
    program = jitted.program(draw(rng, 240, 0, 240), 240)
    assert program.size < 200
    for _ in range(2):
        idx = draw(rng, 240, 0, 240)
        check(program(idx, 240), idx, 240)


@pytest.mark.points(2)
@pytest.mark.hint("Must each index be compared with each counter? Let one operation count them.")
def test_a_small_program_counts_a_lot(submission, rng):
    """A small program counts hundreds of indices, without a table of m x n numbers."""
    for m, n in ((512, 128), (100, 200)):
        idx = draw(rng, m, 0, n)
        program = submission.hist.program(idx, n)
        assert program.size < 200
        assert program.elements < m * n / 3
        check(program(idx), idx, n)


def test_details(submission, rng):
    """The counts are int32, for any number of indices."""
    idx = draw(rng, 24, 0, 6)
    with case("in the dtype of the counts", hint="What is the dtype of `jnp.zeros(n)`?"):
        assert_close(submission.hist(idx, 6), counts(idx, 6))
    with case("without indices", hint="There is nothing to count. How many counters are there?"):
        check(submission.hist(idx[:0], 6), idx[:0], 6)
    with case("for one index", hint="Does one of your operations drop an axis of length 1?"):
        check(submission.hist(idx[:1], 6), idx[:1], 6)
    with case("for many equal numbers", hint="What is the largest number a counter can represent?"):
        idx = np.full(3000, 2, np.int32)
        check(submission.hist(idx, 6), idx, 6)
