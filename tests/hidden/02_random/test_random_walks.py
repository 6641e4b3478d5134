"""random_walks(key, n, T): running sums of independent standard normal steps.

No test asks for particular steps, and no program is judged: a law of random numbers shows in
values.
"""

import numpy as np
import pytest
from scipy.special import ndtr

from grader.suite import assert_agree, assert_no_key_reuse, key

from .chance import SEEDS, by_key, follows, near, seeds_in_a_row, unrelated


def walks(submission, rng, n, steps):
    """The walks of a new key, in float64."""
    result = submission.random_walks(key(rng), n, steps)
    assert np.shape(result) == (n, steps)
    return np.asarray(result, np.float64)


@pytest.mark.hint("A walk is a row: there are n rows, with one position per step.")
def test_every_walk_is_a_row(submission, rng):
    """There are n rows of T float32 positions."""
    for n, steps in [(20, 15), (1, 1), (3, 100)]:
        result = submission.random_walks(key(rng), n, steps)
        assert np.shape(result) == (n, steps)
        assert result.dtype == np.float32
        assert np.any(result), "All positions are 0."


@pytest.mark.points(2)
@pytest.mark.hint("Which distribution do your steps follow? Along which axis do you add them up?")
def test_each_step_is_a_normal_number(submission, rng):
    """The first positions are standard normal numbers, and so are the later steps."""
    found = walks(submission, rng, 20_000, 5)
    near(found[:, 0].std(), 1, 1 / np.sqrt(40_000), "The deviation of the first positions")
    follows(found[:, 0], ndtr, "the first positions")
    follows(found[:, 4] - found[:, 3], ndtr, "the last steps")


@pytest.mark.points(3)
@pytest.mark.hint("Does every walk have its own steps, or do all walks share a key?")
def test_walks_are_independent(submission, rng):
    """No two walks take the same steps, or correlated steps."""
    steps = np.diff(walks(submission, rng, 30, 600))
    unrelated(steps, "walks")
    # A step that is numbered by walk * n + t is also a later step of another walk.
    unrelated(np.vstack([steps[:, :500], steps[:, 30:530]]), "walks, one of them 30 steps later")


@pytest.mark.hint("Does every moment have its own step, independent of earlier steps?")
def test_increments_are_independent(submission, rng):
    """A step doesn't depend on earlier steps."""
    unrelated(np.diff(walks(submission, rng, 2000, 30)).T, "steps of a walk")


@pytest.mark.hint("After t steps, the variance is t. Along which axis do you sum?")
def test_the_variance_grows_as_time(submission, rng):
    """After t steps, the variance of the positions of many walks is t."""
    squares = (walks(submission, rng, 4000, 50) ** 2).mean(axis=0)
    for t in (1, 2, 10, 50):
        near(squares[t - 1], t, t * np.sqrt(2 / 4000), f"After {t} steps the mean square")


@pytest.mark.points(2)
@pytest.mark.hint(
    "Get randomness from the key alone: no clock, no NumPy, no global. Is a key used twice?"
)
def test_the_key_decides(submission, rng):
    """A key is used once and gives the same walks again, and the next seed gives different ones."""
    own = key(rng)
    once, again = (submission.random_walks(own, 3, 5) for _ in range(2))
    assert_agree(again, once)
    assert np.shape(assert_no_key_reuse(submission.random_walks, key(rng), 20, 15)) == (20, 15)
    found = submission.random_walks.used_by(by_key)(seeds_in_a_row(rng), 20, 15)
    unrelated(np.reshape(np.diff(found), (SEEDS, -1)), "seeds")
