"""standardize_rows(X): each row with mean 0 and population standard deviation 1."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close


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
    for n, m in [(2, 4), (1, 6), (7, 2)]:
        x = draw(rng, n, m)
        check(submission.standardize_rows(x), x)


@pytest.mark.points(4)
@pytest.mark.hint(
    "In a square matrix the means fit along both axes. Give them the shape of a column."
)
def test_a_square_matrix_is_done_by_rows(submission, rng):
    """In a square matrix, too, each row is standardized, and not each column."""
    x = draw(rng, 5, 5)
    check(submission.standardize_rows(x), x)


@pytest.mark.hint(
    "Do you add a number to the variance? Compare it with the variance of tiny numbers."
)
def test_every_row_has_its_own_scale(submission, rng):
    """Rows of tiny and of huge numbers, of mean 0, and of NaN, don't affect each other."""
    # So many rows that no small integer counts them.
    x = draw(rng, 70_001, 3)
    x[::5] *= np.float32(1e-16)
    x[1::5] *= np.float32(1e16)
    x[-3] = x[9] = rng.permuted(np.float32([-1, 0, 1]))
    x[[7, -2], [1, 2]] = np.nan
    check(submission.standardize_rows(x), x)
    # The squares of a long row may not fit together where each of them does.
    x = rng.normal(size=(2, 2000)).astype(np.float32) * np.float32([[1.1e-17], [0.9e17]])
    check(submission.standardize_rows(x), x, atol=1e-3)


@pytest.mark.points(2)
@pytest.mark.hint("Beside the square of 3000, a variance of 1 has no digits left. Subtract first.")
def test_rows_far_from_zero_keep_their_spread(submission, rng):
    """Rows whose mean is thousands of times their deviation are standardized, long ones too."""
    x = draw(rng, 2, 4) + rng.permuted(np.float32([3000, -3000]))[:, None]
    check(submission.standardize_rows(x), x, atol=5e-3)
    # A small spread beside the mean is no rounding error here: the mean of these four is exact.
    x = 2**14 + 2 * rng.permuted(np.float32([[-1, 0, 1, 2], [-2, 1, 0, 1]]), axis=1)
    check(submission.standardize_rows(x), x)
    # Added one after the other, the numbers lose their fractions. And one number of each row is
    # 45 deviations away, in one row the first.
    x = np.full((2, 2000), 3000.2, np.float32)
    x[[0, 1], [0, rng.integers(2000)]] += np.float32([-1, 1]) * rng.uniform(30, 60, size=2)
    check(submission.standardize_rows(x), x, atol=5e-3)


def weighted(standardize_rows, batch, weights):
    return (weights * jax.jit(jax.vmap(standardize_rows))(batch)).sum()


@pytest.mark.points(2)
@pytest.mark.hint("Write it for one matrix, with JAX operations alone.")
def test_it_survives_jit_and_vmap(submission, rng):
    """Under `jit` one program serves every matrix, under `vmap` each stands alone; `grad` works."""
    jitted = submission.standardize_rows.jit()
    batch = [draw(rng, 4, 6) for _ in range(3)]
    for x in batch:
        check(jitted(x), x)
    many = submission.standardize_rows.vmap()(np.stack(batch))
    assert np.shape(many) == (3, 4, 6)
    for result, x in zip(many, batch, strict=True):
        check(result, x)
    # The gradient of all that together.
    x = rng.permuted(standardized(np.concatenate(batch)), axis=1)
    x = (x + rng.uniform(-2, 2, size=(12, 1))) * ([[990], [1], [1.01e-3]] * 4)
    x[1, 0] = 0
    # Here some numbers are equal, some equal the mean, and a mean is 0.
    x[4:6] = rng.permuted([[-2, -1, 0, 0, 1, 2], [1, 2, 3, 3, 4, 5]], axis=1)
    # And the means of two rows are far from 0 only beside their deviations.
    x[10:] += rng.permuted([[-3000], [3000]], axis=0) * x[10:].std(1, keepdims=True)
    x = x.astype(np.float32)
    weights, out = draw(rng, 12, 6), standardized(x)
    scale = x.std(1, keepdims=True, dtype=np.float64).astype(np.float32)
    along = (weights * out).mean(1, keepdims=True)
    slope = weights - weights.mean(1, keepdims=True) - along * out
    in_batch = submission.standardize_rows.used_by(weighted).grad()
    found = np.reshape(in_batch(*(np.reshape(part, (3, 4, 6)) for part in (x, weights))), (12, 6))
    assert_close(found[:10] * scale[:10], slope[:10], atol=2e-4)
    assert_close(found[10:] * scale[10:], slope[10:], atol=2e-2)
