"""hist(idx, n): how often each number from 0 to n - 1 occurs; other numbers are not counted."""

import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, m, low, high):
    return rng.integers(low, high, size=m).astype(np.int32)


def counts(idx, n):
    return np.bincount(idx[(idx >= 0) & (idx < n)], minlength=n).astype(np.int32)


def far(rng, n, side):
    """Numbers far beyond one end, of which some are from 0 to n - 1 in their last bits."""
    return np.concatenate([side * 2**p + draw(rng, 2, 0, n) for p in (7, 8, 15, 16, 24, 30)])


def check(result, idx, n):
    """Compares the counts. Another test checks that they are integers."""
    is_float = getattr(result, "dtype", None) == np.float32
    assert_close(result, counts(idx, n).astype(np.float32 if is_float else np.int32))


@pytest.mark.hint("JAX can set at an index, and it can add there. Which one counts a number twice?")
def test_duplicates_are_counted(submission, rng):
    """A number that occurs several times is counted each time, one that doesn't occur gets 0."""
    for n in (6, 1):
        idx = draw(rng, 24, 0, n)
        idx[1] = idx[0]
        check(submission.hist(idx, n), idx, n)


@pytest.mark.hint("An index beyond the end has no counter. It must not be counted at the last one.")
def test_numbers_beyond_the_end_are_dropped(submission, rng):
    """Numbers from n on are not counted."""
    # In 8 bits, 256 is 0, and 128 is negative.
    for n in (1, 6, 128, 256):
        ends = [n, n + 1, 2 * n, 2**31 - 1]
        idx = np.concatenate([draw(rng, 8, 0, n), ends, far(rng, n, 1)]).astype(np.int32)
        check(submission.hist(idx, n), idx, n)


@pytest.mark.hint("Which element of an array is x[-1]?")
def test_negative_numbers_are_dropped(submission, rng):
    """Negative numbers are not counted, neither from the end nor at 0."""
    for n in (1, 6):
        ends = [-1, -n, -n - 1, -(2**31)]
        idx = np.concatenate([draw(rng, 8, 0, n), ends, far(rng, n, -1)]).astype(np.int32)
        check(submission.hist(idx, n), idx, n)


@pytest.mark.hint("What is the dtype of `jnp.zeros(n)`?")
def test_counts_are_integers(submission, rng):
    """The counts are int32, as many as asked for, even if there is one index or none."""
    idx = draw(rng, 24, 0, 6)
    for m in (24, 1, 0):
        assert_close(submission.hist(idx[:m], 6), counts(idx[:m], 6))


@pytest.mark.hint(
    "Under jit `idx` has no values yet: select with `jnp.where`, don't remove elements."
)
def test_it_survives_jit(submission, rng):
    """Under `jit` with static n, one program serves every array of indices."""
    # As many indices as counters: no shape shows which is which.
    program = submission.hist.jit(static_argnums=1).program(draw(rng, 6, 0, 6), 6)
    for _ in range(3):
        idx = draw(rng, 6, -4, 9)
        # One beyond the end, one negative, and one number twice.
        idx[0], idx[1], idx[2:4] = 6, *draw(rng, 1, -4, 0), draw(rng, 1, 0, 6)
        check(program(idx, 6), idx, 6)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop puts a copy of its body into the program for each round.")
def test_the_program_does_not_grow(submission, rng):
    """Many more indices and counters need no bigger program."""
    sizes = []
    # No block of indices fits into a prime number of them.
    for m, n in [(16, 6), (509, 256)]:
        program = submission.hist.program(draw(rng, m, 0, n), n)
        # No loop over hundreds of indices is compiled: that takes long.
        assert program.size < 400
        idx = draw(rng, m, -3, n + 3)
        check(program(idx), idx, n)
        sizes.append(program.size)
    # A program of twice the size is allowed: a right answer may search in a sorted array, and the
    # depth of that search is log m.
    assert sizes[1] <= 2 * sizes[0]
    # Nor does a loop over blocks of thousands of indices fit in here.
    idx = draw(rng, 300_000, 0, 6)
    program = submission.hist.program(idx, 6)
    assert program.size <= 2 * sizes[0]
    check(program(idx), idx, 6)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Let one operation count all indices. And what is the largest number that a counter can hold?"
)
def test_a_small_program_counts_a_lot(submission, rng):
    """The program for many indices and counters is small, and large counts are right."""
    # A small program can be made as big as a big one. But no loop over the counters fits in here,
    # nor a table of all indices and all counters.
    for m, n in [(512, 16), (512, 200), (16, 65_536)]:
        idx = draw(rng, m, 0, n)
        program = submission.hist.program(idx, n)
        assert program.size < 200
        assert program.largest_intermediate < m * n / 4
        check(program(idx), idx, n)
    # In 16 bits, 65536 is 0.
    idx[:3] = -n - 1, n + 1, n + 5
    check(program(idx), idx, n)
    # Counts and counters of more than 8 bits, and a count of more than 16. A loop doesn't get here.
    idx = np.repeat(np.int32([1, 255, 256, 299]), [66_001, 255, 256, 257])
    check(submission.hist.program(idx, 300)(rng.permutation(idx)), idx, 300)
    # A million counters. Their number times that of the indices is just no int32: a right loop
    # copies all counters in each round, which takes seconds. No loop over blocks of thousands of
    # counters fits in here, and there is no counter to which a negative number can be moved.
    n = 1_000_000
    parts = [draw(rng, 2_183, 0, n), draw(rng, 10, n - 2, n), draw(rng, 10, -(2**31), -n)]
    idx = np.concatenate(parts)
    program = submission.hist.program(idx, n)
    assert program.size < 200
    check(program(idx), idx, n)
