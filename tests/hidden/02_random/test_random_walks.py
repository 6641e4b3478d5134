"""random_walks(key, n, T): running sums of independent standard normal steps.

Tests of randomness compare statistics of thousands of steps, with bounds at six standard errors or
more: a right answer fails less than once in a hundred million runs. No test asks for particular
steps.
"""

import numpy as np
import pytest

from grader.judge import assert_no_key_reuse, key

UNRELATED = 0.4
"""Ten times the usual size of a cosine between 600 pairs of independent numbers."""
SQUARE = 600, 600
"""As many walks as steps. Tests share this shape, since each shape costs a compilation."""


def walks(submission, rng, n, steps):
    """The walks of a new key, in float64."""
    result = submission.random_walks(key(rng), n, steps)
    assert np.shape(result) == (n, steps), "the shape is wrong"
    return np.asarray(result, np.float64)


def cosines(vectors):
    """The largest cosine of an angle between two of the vectors."""
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.abs(units @ units.T - np.eye(len(units))).max()


@pytest.mark.visible
@pytest.mark.hint("A walk is a row: there are n rows, with one position per step.")
def test_every_walk_is_a_row(submission, rng):
    """There are n rows of T finite float32 positions."""
    for n, steps in [(3, 5), (1, 1), SQUARE]:
        result = submission.random_walks(key(rng), n, steps)
        assert np.shape(result) == (n, steps)
        assert result.dtype == np.float32
        assert np.isfinite(result).all()


@pytest.mark.hint("What is the position of a walk after its first step?")
def test_the_first_position_is_a_step(submission, rng):
    """The first position is one step: not zero, and not a sum of steps."""
    first = walks(submission, rng, 3000, 30)[:, 0]
    assert abs(first.std() - 1) < 6 / np.sqrt(2 * 3000)


@pytest.mark.hint("The steps are standard normal: mean 0, deviation 1, and more than two values.")
def test_steps_are_standard_normal(submission, rng):
    """The steps of a long walk have the mean, the deviation and the shape of normal numbers."""
    steps = np.diff(walks(submission, rng, *SQUARE)[0])
    six_errors = 6 / np.sqrt(len(steps))
    assert abs(steps.mean()) < six_errors
    assert abs(steps.std() - 1) < six_errors
    # The mean of |z| is sqrt(2 / pi), and its variance 1 - 2 / pi.
    assert abs(np.abs(steps).mean() - np.sqrt(2 / np.pi)) < np.sqrt(1 - 2 / np.pi) * six_errors


@pytest.mark.points(2)
@pytest.mark.hint("Does every walk have its own steps, or do all walks share a key?")
def test_walks_are_independent(submission, rng):
    """No two walks take the same steps, or steps that are correlated."""
    assert cosines(np.diff(walks(submission, rng, *SQUARE))) < UNRELATED


@pytest.mark.points(2)
@pytest.mark.hint("Does every moment have its own step, independent of the steps before?")
def test_increments_are_independent(submission, rng):
    """A step doesn't depend on the steps before it."""
    assert cosines(np.diff(walks(submission, rng, *SQUARE)).T) < UNRELATED


@pytest.mark.hint("After t steps the variance is t. Along which axis do you sum?")
def test_the_variance_grows_as_time(submission, rng):
    """After t steps the mean square of the positions of many walks is t."""
    positions = walks(submission, rng, 3000, 30)
    ratios = (positions**2).mean(axis=0) / np.arange(1, 31)
    assert np.abs(ratios - 1).max() < 6.5 * np.sqrt(2 / 3000)


@pytest.mark.hint("Take randomness from the key alone: no clock, no NumPy, no global.")
def test_the_key_decides(submission, rng):
    """The same key gives the same walks, and another key gives other walks."""
    first, second = key(rng), key(rng)
    random_walks = submission.random_walks.jit(static_argnums=(1, 2))
    once, again, other = (random_walks(k, 3, 5) for k in (first, first, second))
    assert np.shape(once) == np.shape(other) == (3, 5)
    assert np.array_equal(once, again)
    assert not np.array_equal(once, other)


@pytest.mark.hint("Does the same key go into more than one call of `jax.random`?")
def test_no_key_is_used_twice(submission, rng):
    """No key is used more than once."""
    result = assert_no_key_reuse(submission.random_walks, key(rng), 3, 5)
    assert np.shape(result) == (3, 5)
