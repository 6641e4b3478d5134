"""pairwise_sqdist(X, Y): the table of squared distances between two sets of points.

Tolerances are absolute: a right answer may expand the square, and then digits cancel where two
points are close.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case


def points(rng, n, d):
    return rng.normal(size=(n, d)).astype(np.float32)


def check(result, x, y):
    """Compares with float64."""
    table = ((x[:, None].astype(np.float64) - y) ** 2).sum(2)
    assert_close(result, table, rtol=0, atol=1e-4, nonfinite=True)


@pytest.mark.hint("Entry (i, j) is the sum of (X[i] - Y[j]) ** 2, without a root or a mean.")
def test_every_pair_has_its_distance(submission, rng):
    """Entry (i, j) is the squared distance of point i of X to point j of Y."""
    for n, m, d in ((3, 5, 2), (4, 2, 7)):
        x, y = points(rng, n, d), points(rng, m, d)
        check(submission.pairwise_sqdist(x, y), x, y)


@pytest.mark.hint("With equal lengths, every axis fits every other. Which one do you sum over?")
def test_nothing_is_mixed_up_when_every_shape_fits(submission, rng):
    """Where all lengths are equal, rows belong to X and columns to Y."""
    x, y = points(rng, 4, 4), points(rng, 4, 4)
    check(submission.pairwise_sqdist(x, y), x, y)


def total(pairwise_sqdist, x, y, weights):
    return (weights * pairwise_sqdist(x, y)).sum()


@pytest.mark.points(2)
@pytest.mark.hint("How steep is a square root at 0? You don't need to take one.")
def test_equal_points_have_a_gradient(submission, rng):
    """Both gradients are right, even where a point of X is also a point of Y."""
    x, y = points(rng, 3, 2), points(rng, 5, 2)
    x[0, 0] = y[1, 1] = 0
    y[2] = x[1]
    weights = rng.uniform(-1, 1, size=(3, 5)).astype(np.float32)
    steps = 2 * weights[:, :, None] * (x[:, None].astype(np.float64) - y)
    found = submission.pairwise_sqdist.used_by(total).grad(argnums=(0, 1))(x, y, weights)
    assert_close(found, (steps.sum(1), -steps.sum(0)), atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop adds a copy of its body to the program per round.")
def test_the_program_does_not_grow(submission, rng):
    """More points need no bigger program: it has fewer operations than points."""
    for n, m in ((96, 3), (3, 96)):
        x, y = points(rng, n, 2), points(rng, m, 2)
        program = submission.pairwise_sqdist.program(x, y)
        assert program.size < 96
        check(program(x, y), x, y)


@pytest.mark.points(2)
@pytest.mark.hint("Let one operation subtract all pairs. Which axes do the arrays lack for this?")
def test_a_small_program_compares_many_points(submission, rng):
    """The program for hundreds of points is small."""
    # The small one comes first, since loops over all pairs take long to trace.
    for n, m in ((30, 40), (150, 200)):
        x, y = points(rng, n, 2), points(rng, m, 2)
        program = submission.pairwise_sqdist.program(x, y)
        assert program.size < 150
        check(program(x, y), x, y)


def test_details(submission, rng):
    """It works for one point, for no points, and for a point with NaN."""
    for n, m, d in ((1, 5, 2), (3, 1, 1)):
        with case("for one point", hint="Does one of your operations drop axes of length 1?"):
            x, y = points(rng, n, d), points(rng, m, d)
            check(submission.pairwise_sqdist(x, y), x, y)
    for n, m in ((0, 5), (3, 0)):
        with case(f"for {n} and {m} points", hint="Which of your operations needs a point?"):
            x, y = points(rng, n, 2), points(rng, m, 2)
            check(submission.pairwise_sqdist(x, y), x, y)
    with case("where a point has NaN", hint="Each entry depends on two points, and on no others."):
        x, y = points(rng, 3, 2), points(rng, 5, 2)
        x[1, 0] = y[0, 1] = np.nan
        # As a program, since a right answer may check itself for NaN while it is debugged.
        check(submission.pairwise_sqdist.program(x, y)(x, y), x, y)
