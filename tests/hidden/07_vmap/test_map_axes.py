"""map_axes(f, X, c): a function of a column, mapped over the columns of a matrix.

The functions use methods that arrays of JAX and of NumPy have. So they also say what is right.
"""

import numpy as np
import pytest

from grader.suite import assert_close


def running(column, c):
    """As long as the column."""
    return column.cumsum() * c


def ends(column, c):
    """Two numbers, whatever the length."""
    return column[:2] * (column @ c)


def draw(rng, *shape):
    return np.asarray(rng.uniform(0.5, 2, size=shape), np.float32)


def check(found, f, X, c):
    expected = [f(column, np.float64(c)) for column in X.T.astype(np.float64)]
    assert_close(found, np.stack(expected, axis=1), atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("Which axis of X counts the columns, and which axis of the result?")
def test_each_column_becomes_a_column(submission, rng):
    """Column j of the result is f of column j, whether it is shorter than that or not."""
    X, c = draw(rng, 5, 3), draw(rng)
    check(submission.map_axes(running, X, c), running, X, c)
    check(submission.map_axes(running, X, float(c)), running, X, c)
    X, c = draw(rng, 4, 6), draw(rng, 4)
    check(submission.map_axes(ends, X, c), ends, X, c)


@pytest.mark.points(3)
@pytest.mark.hint("When all lengths are equal, only `in_axes` and `out_axes` tell the axes apart.")
def test_equal_lengths_hide_nothing(submission, rng):
    """Where X is square and c is as long as a column, nothing is swapped or paired up."""
    for n in (4, 2):
        X, c = draw(rng, n, n), draw(rng, n)
        check(submission.map_axes(running, X, c), running, X, c)


@pytest.mark.hint("Does one of your operations drop axes of length 1?")
def test_one_column_stays_a_column(submission, rng):
    """A matrix with one column, or with one row, gives a matrix."""
    for shape in ((4, 1), (1, 4)):
        X, c = draw(rng, *shape), draw(rng)
        check(submission.map_axes(running, X, c), running, X, c)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop adds a copy of f to the program for each column. Map f instead.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 200 columns has fewer operations than columns."""
    X, c = draw(rng, 5, 200), draw(rng, 5)
    program = submission.map_axes.program(running, X, c)
    assert program.size < 200
    check(program(X, c), running, X, c)
