"""standardize_rows(X): each row with mean 0 and population standard deviation 1."""

import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n, m):
    """Skewed rows with a mean of their own, and a spread that is not close to 0."""
    x = rng.exponential(size=(n, m)) * rng.choice([-1, 1], size=(n, 1))
    x = rng.uniform(2, 8, size=(n, 1)) * x / np.ptp(x, axis=1, keepdims=True)
    return (x - x.mean(1, keepdims=True) + rng.uniform(-3, 3, size=(n, 1))).astype(np.float32)


def standardized(x):
    x = x.astype(np.float64)
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)


def check(result, x, atol=3e-5):
    """Compares with float64; results are of order one, whatever the scale of the rows."""
    assert_close(result, standardized(x), atol=atol, nonfinite=True)


@pytest.mark.hint("Which axis do you average over, and do you divide by m or by m - 1?")
def test_each_row_is_standardized(submission, rng):
    """Each row has mean 0 and population standard deviation 1, in matrices of any shape."""
    for n, m in ((2, 4), (1, 6), (7, 2)):
        x = draw(rng, n, m)
        check(submission.standardize_rows(x), x)


@pytest.mark.points(3)
@pytest.mark.hint(
    "In a square matrix the means fit along both axes. Give them the shape of a column."
)
def test_a_square_matrix_is_done_by_rows(submission, rng):
    """In a square matrix, each row is also standardized, and not each column."""
    x = draw(rng, 5, 5)
    check(submission.standardize_rows(x), x)


@pytest.mark.hint(
    "Do you add a number to the variance? Compare it with the variance of tiny numbers."
)
def test_every_row_has_its_own_scale(submission, rng):
    """Rows of tiny and of huge numbers are standardized as well as all others."""
    x = draw(rng, 5, 4) * np.float32([[1e-6], [1e6], [1], [1e-3], [1e3]])
    check(submission.standardize_rows(x), x)


@pytest.mark.points(2)
@pytest.mark.hint("Next to the square of 3000, a variance of 1 has no digits left. Subtract first.")
def test_rows_far_from_zero_keep_their_spread(submission, rng):
    """Rows whose mean is a thousand times their deviation are standardized."""
    x = draw(rng, 2, 4) + rng.permuted(np.float32([3000, -3000]))[:, None]
    check(submission.standardize_rows(x), x, atol=5e-3)


@pytest.mark.points(2)
@pytest.mark.hint("Write it for one matrix, using only JAX operations.")
def test_it_survives_jit_and_vmap(submission, rng):
    """Under `jit`, one program serves every matrix; under `vmap`, each is independent."""
    program = submission.standardize_rows.jit().program(draw(rng, 4, 6))
    x = draw(rng, 4, 6)
    check(program(x), x)
    batch = np.stack([draw(rng, 4, 6) for _ in range(3)])
    expected = np.stack([standardized(x) for x in batch])
    assert_close(submission.standardize_rows.vmap()(batch), expected, atol=3e-5)


def weighted(standardize_rows, x, weights):
    return (weights * standardize_rows(x)).sum()


def test_details(submission, rng):
    """The gradient is right, and a NaN row stays separate."""
    x, weights = draw(rng, 4, 6), draw(rng, 4, 6)
    x[0, 0] = 0
    with case("in the gradient", hint="Mean and deviation depend on the row. Is one held fixed?"):
        out = standardized(x)
        along = (weights * out).mean(1, keepdims=True)
        slope = weights - weights.mean(1, keepdims=True) - along * out
        found = submission.standardize_rows.used_by(weighted).grad()(x, weights)
        assert_close(found, slope / x.std(1, keepdims=True), atol=2e-4)
    with case("for a row with NaN", hint="Each row is independent: does one affect the others?"):
        x[1, 2] = np.nan
        check(submission.standardize_rows(x), x)
