"""hist(idx, n): how often each number below n occurs, with what doesn't fit counted nowhere."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng, m, low, high):
    return rng.integers(low, high, size=m).astype(np.int32)


def counts(idx, n):
    return np.array([np.sum(idx == number) for number in range(n)], np.int32)


def check(result, idx, n):
    """Compares the counts; that they are integers is a claim of its own."""
    is_float = getattr(result, "dtype", None) == np.float32
    assert_close(result, counts(idx, n).astype(np.float32 if is_float else np.int32))


@pytest.mark.visible
@pytest.mark.hint(
    "There is a way to add at an index, and a way to set. Which one can count to two?"
)
def test_duplicates_are_counted(submission, rng):
    """A number that occurs several times counts several times, and one that doesn't counts 0."""
    for m, n in [(12, 6), (6, 6), (12, 1)]:
        idx = draw(rng, m, 0, n)
        idx[1] = idx[0]
        check(submission.hist(idx, n), idx, n)


@pytest.mark.hint("An index beyond the end belongs to no counter, not even to the last one.")
def test_numbers_beyond_the_end_are_dropped(submission, rng):
    """Numbers from n on are counted nowhere."""
    for n in (1, 6):
        idx = np.concatenate([draw(rng, 8, 0, n), [n, n + 1, 2 * n, 10**6]]).astype(np.int32)
        check(submission.hist(idx, n), idx, n)


@pytest.mark.points(2)
@pytest.mark.hint("Which element of an array is x[-1]?")
def test_negative_numbers_are_dropped(submission, rng):
    """Negative numbers are counted nowhere, neither from the end nor at 0."""
    for n in (1, 6):
        idx = np.concatenate([draw(rng, 8, 0, n), [-1, -n, -n - 1, -(10**6)]]).astype(np.int32)
        check(submission.hist(idx, n), idx, n)


@pytest.mark.hint("What is the dtype of `jnp.zeros(n)`?")
def test_counts_are_integers(submission, rng):
    """The counts are int32, as many as asked for, even if there is nothing to count."""
    idx = draw(rng, 12, 0, 6)
    assert_close(submission.hist(idx, 6), counts(idx, 6))
    assert_close(submission.hist(idx[:0], 6), np.zeros(6, np.int32))


@pytest.mark.points(2)
@pytest.mark.hint("Under jit `idx` has no values yet: select by `jnp.where`, not by leaving out.")
def test_it_survives_jit(submission, rng):
    """Under `jit` with static n, one program serves every array of indices."""
    program = submission.hist.jit(static_argnums=1).program(draw(rng, 12, 0, 6), 6)
    for _ in range(3):
        idx = draw(rng, 12, -4, 9)
        idx[0] = 6
        check(program(idx, 6), idx, 6)


@pytest.mark.points(2)
@pytest.mark.hint("A Python loop puts a copy of its body into the program for each round.")
def test_the_program_does_not_grow(submission, rng):
    """Eight times as many indices, or as many counters, need no bigger program."""
    sizes = []
    for m, n in [(16, 6), (128, 48)]:
        program = submission.hist.program(draw(rng, m, 0, n), n)
        idx = draw(rng, m, -3, n + 3)
        check(program(idx), idx, n)
        sizes.append(program.size)
    # Twice as many operations leave room for a search in a sorted array, whose depth is log m.
    assert max(sizes) <= 2 * sizes[0]


def eager(idx, n):
    """Index by index, each counted in a new array."""
    found = jnp.zeros(n, jnp.int32)
    for i in idx:
        found = found.at[jnp.where(i < 0, n, i)].add(1)
    return found


@pytest.mark.points(2)
@pytest.mark.hint("Let one operation count all indices: starting it costs more than the work.")
def test_it_is_fast(submission, race):
    """Compiled, it runs at least 100 times as fast as a Python loop over `.at[i].add`."""
    race(
        submission.hist,
        baseline=eager,
        args=lambda rng: (draw(rng, 32, -4, 24), 20),
        at_least=100,
        check=check,
    )
