"""map_in_batches(f, xs, batch_size): a loop of batches, between vmap and a loop of examples.

`pairs` uses methods that arrays of JAX and of NumPy have. So it also says what is right.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case

N, LENGTH = 66, 20


def pairs(x):
    """A table of all products, and its running sums, one number for each row."""
    table = x[:, None] * x
    return (table * table).sum(axis=1) + x


def ends(x):
    """A matrix for each example that is a matrix."""
    return x[:2] * x.sum()


def draw(rng, *shape):
    return rng.uniform(0.5, 2, size=shape).astype(np.float32)


def check(found, f, xs):
    assert_close(found, np.stack([f(x) for x in xs.astype(np.float64)]), rtol=1e-5)


def program(submission, xs, batch_size):
    found = submission.map_in_batches.program(pairs, xs, batch_size)
    check(found(xs), pairs, xs)
    return found


@pytest.mark.points(2)
@pytest.mark.hint("Which examples are in the last batch? Do they get a result?")
def test_each_example_has_its_result(submission, rng):
    """Each example has its result, even where the last batch has fewer examples."""
    xs = draw(rng, 12, 5)
    for batch_size in (3, 5, 1):
        check(submission.map_in_batches(pairs, xs, batch_size), pairs, xs)
    xs = draw(rng, 7, 3, 4)
    check(submission.map_in_batches(ends, xs, 2), ends, xs)


@pytest.mark.points(3)
@pytest.mark.hint("How many tables exist at the same time: one, a batch, or all of them?")
def test_the_memory_is_that_of_a_batch(submission, rng):
    """No more tables exist than those of one batch, whether N is a multiple of it or not."""
    xs = draw(rng, 600, LENGTH)
    for batch_size in (6, 16):
        found = program(submission, xs, batch_size)
        assert found.elements < 600 * LENGTH * LENGTH / 2


@pytest.mark.points(3)
@pytest.mark.hint("How many examples does a round of your loop compute: one, or a batch?")
def test_a_round_computes_a_batch(submission, rng):
    """Larger batches need fewer rounds, so fewer operations wait for one another."""
    xs = draw(rng, N, LENGTH)
    # In a round, 4 operations of `pairs` wait for one another. No batch of a fixed size has as many
    # rounds as batches of 3 need, and nearly as few as those of 33.
    assert program(submission, xs, 3).depth >= N
    assert program(submission, xs, 33).depth < N / 2


@pytest.mark.hint("A Python loop adds each batch to the program. Which loop doesn't?")
def test_the_program_does_not_grow(submission, rng):
    """The program for 66 batches is small, and has a loop."""
    found = program(submission, draw(rng, N, LENGTH), 1)
    # A batch that is written out takes more than two.
    assert found.size < 2 * N
    assert "stablehlo.while" in found.operations, "There is no loop in the program."


def test_details(submission, rng):
    """It works for a batch larger than N."""
    xs = draw(rng, 12, 5)
    with case("for a batch larger than N", hint="How many full batches are there? None."):
        check(submission.map_in_batches(pairs, xs, 20), pairs, xs)
