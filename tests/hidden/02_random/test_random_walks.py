"""random_walks(key, n, T): running sums of independent standard normal steps.

Tests of randomness compare statistics of thousands of steps, with bounds at six standard errors or
more: a right answer fails less than once in a hundred million runs. No test asks for particular
steps.
"""

import numpy as np
import pytest

from grader.suite import assert_close, assert_no_key_reuse, key

from .chance import (
    all_differ,
    by_key,
    by_many_keys,
    cosine_bound,
    cosines,
    fine,
    follows,
    independent,
    many_keys,
    related_keys,
    returns,
    unrelated_by_key,
)

LONG = 300, 1100
"""Walks so long that a block of a thousand steps has an end. Tests share this shape, since each
shape costs a compilation."""

MANY = 10_000, 30
"""As many walks as there may be."""


def walks(submission, rng, n, steps):
    """The walks of a new key, in float64."""
    result = submission.random_walks(key(rng), n, steps)
    assert np.shape(result) == (n, steps), "the shape is wrong"
    return np.asarray(result, np.float64)


def steps_by_key(submission, rng):
    """The steps [129, 20, 15] of 20 walks for each of many keys, from a program."""
    walks = submission.random_walks.used_by(by_key)(related_keys(rng), 20, 15)
    assert np.shape(walks) == (129, 20, 15), "the shape is wrong"
    return np.diff(np.asarray(walks, np.float64), axis=2, prepend=0)


@pytest.mark.hint("A walk is a row: there are n rows, with one position per step.")
def test_every_walk_is_a_row(submission, rng):
    """There are n rows of T finite float32 positions."""
    for n, steps in [(20, 15), (1, 1), LONG]:
        result = submission.random_walks(key(rng), n, steps)
        assert np.shape(result) == (n, steps)
        assert result.dtype == np.float32
        assert np.isfinite(result).all()


@pytest.mark.hint("What is the position of a walk after its first step?")
def test_the_first_position_is_a_step(submission, rng):
    """The first position is one step: not zero, and not a sum of steps."""
    first = walks(submission, rng, *MANY)[:, 0]
    said = f"the first positions have the deviation {first.std():.4g} and not 1"
    assert abs(first.std() - 1) < 6 / np.sqrt(2 * 10_000), said


@pytest.mark.hint("The steps are standard normal, not only of mean 0 and deviation 1.")
def test_steps_are_standard_normal(submission, rng):
    """In a walk, over many walks and over many keys, steps are spread as normal numbers are."""
    # Another test asks whether the sums go on after a thousand steps.
    steps = np.diff(walks(submission, rng, *LONG))[:, :600]
    assert follows(steps[0]) and follows(steps[:, 0]), (
        "the numbers do not follow the law that is asked for"
    )
    # How heavy the tails are: the variance of this ratio is 24 / size.
    kurtosis = np.mean(steps**4) / np.mean(steps**2) ** 2
    assert abs(kurtosis - 3) < 6 * np.sqrt(24 / steps.size)
    # Among so many, 11 are expected beyond 4.
    assert np.abs(steps).max() > 4
    # With many more steps than walks, too, no number comes twice; by chance 25 of these do.
    few = steps[:5].ravel()
    order = np.argsort(few)
    at_other_times = np.diff(order % 600) != 0
    assert (at_other_times & (np.diff(few[order]) < 1e-5)).sum() < 100
    steps = steps_by_key(submission, rng)
    assert follows(steps), "the numbers do not follow the law that is asked for"
    # The running sums are exact, too.
    assert fine(np.cumsum(steps, axis=2)), "too few different numbers are possible"


@pytest.mark.points(3)
@pytest.mark.hint("Does every walk have its own steps, or do all walks share a key?")
def test_walks_are_independent(submission, rng):
    """No two walks take the same steps, or steps that are correlated, in any order."""
    steps = np.diff(walks(submission, rng, *LONG))
    assert cosines(steps[:, :600]) < cosine_bound(600), (
        "two parts are alike that should be independent"
    )
    assert independent(steps_by_key(submission, rng)), (
        "numbers that should be independent are alike"
    )
    # Nor does a walk take the steps of another one, or its own, some time later. Of a long walk the
    # signs are enough: another test asks how large its steps are.
    assert not returns(np.sign(steps).ravel()), "the same numbers come again later"
    assert not returns(steps[:, :600].ravel()), "the same numbers come again later"
    # Nor do blocks of many walks. And if walks read a table of a million numbers, fifty pairs of
    # them begin with the same one; by chance, six do.
    many = walks(submission, rng, *MANY)
    assert not returns(np.diff(many).ravel()), "the same numbers come again later"
    assert len(np.unique(many[:, 0])) > 10_000 - 25


@pytest.mark.hint("Does every moment have its own step, independent of the steps before?")
def test_increments_are_independent(submission, rng):
    """A step doesn't depend on the steps before it."""
    steps = np.diff(walks(submission, rng, *LONG))
    assert cosines(steps.T) < cosine_bound(300), "two parts are alike that should be independent"
    # Where a sum begins again at 0, a step undoes all steps before it.
    assert np.abs(steps).max() < 8
    steps = steps_by_key(submission, rng)
    assert cosines(np.moveaxis(steps, 2, 0).reshape(15, -1)) < cosine_bound(129 * 20), (
        "two parts are alike that should be independent"
    )


@pytest.mark.hint("After t steps the variance is t. Along which axis do you sum?")
def test_the_variance_grows_as_time(submission, rng):
    """After t steps the mean square of the positions of many walks is t."""
    positions = walks(submission, rng, *MANY)
    ratios = (positions**2).mean(axis=0) / np.arange(1, 31)
    said = "the variance at a step is not the number of steps so far"
    assert np.abs(ratios - 1).max() < 6.5 * np.sqrt(2 / 10_000), said


@pytest.mark.hint("Take randomness from the key alone: no clock, no NumPy, no global.")
def test_the_key_decides(submission, rng):
    """The same key gives the same walks, and keys that are nearly equal give other walks."""
    keys = related_keys(rng)
    walks = submission.random_walks.used_by(by_key)(keys, 20, 15)
    assert unrelated_by_key(np.diff(walks, axis=2, prepend=0)), (
        "keys that are nearly equal give numbers that are alike"
    )
    assert_close(submission.random_walks(keys[0], 20, 15), np.float64(walks[0]), atol=1e-4)
    # Nor are there only as many walks as numbers of 32 bits.
    first = submission.random_walks.used_by(by_many_keys)(many_keys(rng), 1, 6)
    assert all_differ(np.reshape(first, (-1, 6))), "different keys give the same numbers"


@pytest.mark.hint("Does the same key go into more than one call of `jax.random`?")
def test_no_key_is_used_twice(submission, rng):
    """No key is used more than once, for many steps of many walks."""
    result = assert_no_key_reuse(submission.random_walks, key(rng), *LONG)
    assert np.shape(result) == LONG
