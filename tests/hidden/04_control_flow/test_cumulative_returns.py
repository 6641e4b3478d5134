"""cumulative_returns(rewards, ends, last, gamma): rewards from each step to its episode's end.

The stub is a program that is right where no episode ends, and that cuts one step too early.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, length, ends=()):
    rewards = rng.choice([-1, 1], size=length) * rng.uniform(1, 5, size=length)
    found = np.zeros(length, bool)
    found[list(ends)] = True
    last, gamma = rng.uniform(5, 9), rng.uniform(0.6, 0.95)
    return rewards.astype(np.float32), found, np.float32(last), np.float32(gamma)


def returns(rewards, ends, last, gamma):
    """The rule in float64, from the last step to the first."""
    later, found = float(last), []
    for reward, is_end in zip(np.float64(rewards)[::-1], ends[::-1], strict=True):
        later = reward if is_end else reward + float(gamma) * later
        found.append(later)
    return np.array(found[::-1])


def slopes(rewards, ends, last, gamma, weights, h=1e-5):
    """The derivatives of a weighted sum of the returns in rewards, last and gamma."""

    def total(rewards, last, gamma):
        return weights @ returns(rewards, ends, last, gamma)

    rewards, last, gamma = np.float64(rewards), float(last), float(gamma)
    steps = h * np.eye(len(rewards))
    by_rewards = [total(rewards + s, last, gamma) - total(rewards - s, last, gamma) for s in steps]
    by_last = total(rewards, last + h, gamma) - total(rewards, last - h, gamma)
    by_gamma = total(rewards, last, gamma + h) - total(rewards, last, gamma - h)
    return np.array(by_rewards) / 2 / h, by_last / 2 / h, by_gamma / 2 / h


def weighted(cumulative_returns, rewards, ends, last, gamma, weights):
    return weights @ cumulative_returns(rewards, ends, last, gamma)


@pytest.mark.hint("Which way does the loop run, and what does it start with?")
def test_a_series_without_an_end_is_right(submission, rng):
    """Without an end, each return includes all later rewards, and the expected value after them."""
    for length in (7, 1):
        given = draw(rng, length)
        assert_close(submission.cumulative_returns(*given), returns(*given))
    rewards, ends, last, gamma = draw(rng, 7)
    found = submission.cumulative_returns(rewards, ends, float(last), float(gamma))
    assert_close(found, returns(rewards, ends, last, gamma))


@pytest.mark.hint("Does the gradient still reach the rewards, the last value and the discount?")
def test_its_gradients_are_right(submission, rng):
    """Without an end, all returns have the right derivatives in rewards, last and gamma."""
    given, weights = draw(rng, 9), rng.uniform(1, 2, size=9).astype(np.float32)
    grad = submission.cumulative_returns.used_by(weighted).grad(argnums=(0, 2, 3)).jit()
    given[0][4] = 0
    assert_close(grad(*given, weights), slopes(*given, weights), atol=1e-3)
    with case("where last and gamma are 0"):
        given = *given[:2], np.float32(0), np.float32(0)
        assert_close(grad(*given, weights), slopes(*given, weights), atol=1e-3)


@pytest.mark.points(3)
@pytest.mark.hint("Between which two steps does an end cut? Between which two does your loop cut?")
def test_an_end_cuts_behind_its_step(submission, rng):
    """The steps of an episode have its rewards, including the last one, and no others."""
    for name, ends in (
        ("one end", [3]),
        ("ends at two steps in a row", [2, 3]),
        ("an end at the first step", [0, 5]),
        ("an end at each step", range(8)),
    ):
        given = draw(rng, 8, ends)
        with case(f"with {name}"):
            assert_close(submission.cumulative_returns(*given), returns(*given))


@pytest.mark.hint("The last episode has ended. Does anything come after it?")
def test_nothing_comes_after_the_last_end(submission, rng):
    """Where the last step ends its episode, the value after it doesn't count."""
    for length, ends in ((6, [5]), (6, [2, 5]), (1, [0])):
        given = draw(rng, length, ends)
        assert_close(submission.cumulative_returns(*given), returns(*given))


@pytest.mark.hint("What is 0 times NaN?")
def test_a_nan_stays_in_its_episode(submission, rng):
    """A NaN or an infinity in one episode affects no other episode."""
    for bad in (np.nan, np.inf):
        rewards, ends, last, gamma = draw(rng, 9, [2, 5])
        rewards[4] = bad
        found = submission.cumulative_returns(rewards, ends, last, gamma)
        rewards[4] = 1
        expected = returns(rewards, ends, last, gamma)
        expected[3:5] = bad
        assert_close(found, expected, nonfinite=True)


@pytest.mark.points(2)
@pytest.mark.hint("Does each series in a batch have its own ends, also for the gradient?")
def test_a_batch_of_series(submission, rng):
    """In a batch, each series has its own ends, and the right gradients."""
    batch = [draw(rng, 9, ends) for ends in ([2], [8], [0, 4, 5])]
    given = [np.stack(part) for part in zip(*batch, strict=True)]
    with case("in the returns"):
        found = submission.cumulative_returns.vmap().jit()(*given)
        assert_close(found, np.stack([returns(*one) for one in batch]))
    with case("in the gradients"):
        weights = rng.uniform(1, 2, size=9).astype(np.float32)
        grad = submission.cumulative_returns.used_by(weighted).grad(argnums=(0, 2, 3))
        found = grad.vmap(in_axes=(0, 0, 0, 0, None)).jit()(*given, weights)
        expected = zip(*(slopes(*one, weights) for one in batch), strict=True)
        assert_close(found, tuple(np.stack(part) for part in expected), atol=1e-3)


@pytest.mark.hint("Is the step written once, or once for each step of the series?")
def test_a_long_series_needs_no_bigger_program(submission, rng):
    """The program for 500 steps is small."""
    program = submission.cumulative_returns.program(*draw(rng, 500, [3]))
    # A step that is written out takes more than four.
    assert program.size < 4 * 500
    given = draw(rng, 500, [250, 253, 499])
    assert_close(program(*given), returns(*given))
