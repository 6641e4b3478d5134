"""pairwise_sqdist(X, Y): the table of squared distances between two sets of points.

Coordinates are of one size and tolerances are absolute: a right answer may expand the square, and
then digits cancel where two points are close.
"""

import numpy as np
import pytest

from grader.suite import assert_close

SIZES = 1, 1e-15, 1e15
"""Of coordinates: the tolerance follows the square."""


def and_among_themselves(pairwise_sqdist, x, y):
    """The table of both sets, and that of the first set twice."""
    return pairwise_sqdist(x, y), pairwise_sqdist(x, x)


def each(pairwise_sqdist, sets):
    """The tables of several pairs of sets."""
    return [pairwise_sqdist(x, y) for x, y in sets]


def points(rng, n, d, size=1):
    return (size * rng.normal(size=(n, d))).astype(np.float32)


def check(result, x, y, size=1, rtol=0.0):
    """Compares with float64."""
    table = ((x[:, None].astype(np.float64) - y) ** 2).sum(2)
    assert_close(result, table, rtol=rtol, atol=1e-4 * size**2, nonfinite=True)


@pytest.mark.hint("Entry (i, j) is the sum of (X[i] - Y[j]) ** 2, without a root or a mean.")
def test_every_pair_has_its_distance(submission, rng):
    """Entry (i, j) is the squared distance of point i of X to point j of Y, at any scale."""
    for size in SIZES:
        x, y = points(rng, 3, 2, size), points(rng, 5, 2, size)
        check(submission.pairwise_sqdist(x, y), x, y, size)
    # One point far away, in either set, costs the others no digits, and neither do all but one.
    for far in (0, 2, slice(1, None)):
        for which in (0, 1):
            x, y = both = points(rng, 3, 2), points(rng, 5, 2)
            both[which][far] = 1e7
            check(submission.pairwise_sqdist(x, y), x, y, rtol=4e-6)


@pytest.mark.hint("When all lengths agree, every axis fits every other. Which one do you sum over?")
def test_nothing_is_mixed_up_when_every_shape_fits(submission, rng):
    """Where all lengths are equal, rows belong to X and columns to Y, and so does NaN."""
    x, y = points(rng, 4, 4), points(rng, 4, 4)
    # As a program, since a right answer may check itself for NaN while it is debugged.
    program = submission.pairwise_sqdist.used_by(and_among_themselves).program(x, y)

    def check_both():
        table, own = program(x, y)
        check(table, x, y)
        check(own, x, x)

    check_both()
    x[1, 0] = y[-1, 1] = np.nan
    check_both()
    x[-1, 3], y[0, 2] = np.nan, np.nan
    check_both()
    # NaN in the first point alone.
    x[:] = points(rng, 4, 4)
    x[0, 2] = np.nan
    check_both()


@pytest.mark.hint("Does one of your operations drop axes of length 1, or need at least one point?")
def test_one_point_or_none_still_gives_a_table(submission, rng):
    """A set of one point gives one row or one column, and an empty set gives none."""
    for n, m, d in [(1, 5, 2), (3, 1, 1), (0, 5, 2), (3, 0, 2)]:
        x, y = points(rng, n, d), points(rng, m, d)
        check(submission.pairwise_sqdist(x, y), x, y)


@pytest.mark.points(2)
@pytest.mark.hint("How steep is a square root at 0? You don't need to take one.")
def test_equal_points_have_a_gradient(submission, rng):
    """Both gradients are finite and right, even where a point of X is also a point of Y.

    Both sets may be the same array.
    """

    def total(f, x, y, weights):
        return (weights * f(x, y)).sum() + f(y, y).sum()

    def gradients(x, y, weights):
        steps = 2 * weights[:, :, None] * (x[:, None].astype(np.float64) - y)
        return steps.sum(1), 4 * (y[:, None].astype(np.float64) - y).sum(1) - steps.sum(0)

    gradient = submission.pairwise_sqdist.used_by(total).grad(argnums=(0, 1)).jit()
    for size in SIZES:
        x, y = points(rng, 70, 2, size), points(rng, 5, 2, size)
        y[2] = x[1]
        # Two points that aren't equal, but the square of their distance is 0 in float32.
        x[0], y[0] = 0, (1e-25, 0)
        weights = rng.uniform(-1, 1, size=(70, 5)).astype(np.float32)
        assert_close(gradient(x, y, weights), gradients(x, y, weights), atol=1e-4 * size)
    # Each point of X is so close to one of Y that their distance is lost in rounding.
    y = rng.uniform(1, 2, size=(5, 2)).astype(np.float32)
    x = y[rng.integers(5, size=70)] - np.float32(2e-4)
    weights = rng.uniform(0.5, 1, size=(70, 5)).astype(np.float32)
    of_x, of_y = gradient(x, y, weights)
    expected_of_x, expected_of_y = gradients(x, y, weights)
    assert_close(of_x, expected_of_x, atol=1.5e-4)
    assert_close(of_y, expected_of_y, atol=1e-3)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop puts a copy of its body into the program for each round.")
def test_the_program_does_not_grow(submission, rng):
    """More points need no bigger program, even if they are many thousands."""
    sizes = []
    for n, m in [(3, 4), (12, 16)]:
        x, y = points(rng, n, 2), points(rng, m, 2)
        program = submission.pairwise_sqdist.program(x, y)
        # No loop over many points is compiled: that takes long.
        assert program.size < 400
        check(program(x, y), x, y)
        sizes.append(program.size)
    assert sizes[1] == sizes[0]
    # Nor is there a loop over blocks of points, even if the table is large.
    for n, m in ((100_000, 3), (3, 100_000), (2500, 2490)):
        x, y = points(rng, n, 2), points(rng, m, 2)
        program = submission.pairwise_sqdist.program(x, y)
        assert program.size == sizes[0]
        check(program(x, y), x, y)


@pytest.mark.points(2)
@pytest.mark.hint("Let one operation subtract all pairs. Which axes do the arrays lack for that?")
def test_a_small_program_compares_many_points(submission, rng):
    """The program for hundreds of points is small, and thousands are no problem."""
    # A small program can be made as big as a big one. But no loop over the points fits in here. The
    # small one comes first, since loops over all pairs take long to trace.
    for n, m in ((30, 40), (150, 200)):
        x, y = points(rng, n, 2), points(rng, m, 2)
        program = submission.pairwise_sqdist.program(x, y)
        assert program.size < 150
        check(program(x, y), x, y)
    # No loop is left that is written out. So many points that 16 bits don't count them, and then
    # points of many coordinates.
    sets = [
        [points(rng, n, d, 0.5), points(rng, m, d, 0.5)]
        for n, m, d in ((70_001, 3, 3), (2, 70_001, 3), (2, 5, 70))
    ]
    found = submission.pairwise_sqdist.used_by(each).jit()(sets)
    for table, (x, y) in zip(found, sets, strict=True):
        check(table, x, y)
