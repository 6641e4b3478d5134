"""hedge(losses, rate): shares by the exponentials of total losses, for any number of rounds.

The stub is a program whose weights underflow, so that it divides 0 by 0.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, rounds, experts=4, low=0.0):
    return rng.uniform(low, low + 1, size=(rounds, experts)).astype(np.float32)


def level(losses, means):
    """The losses with these means, rounded so that float32 adds them up without an error."""
    losses = losses - losses.mean(axis=0) + means
    return (np.round(losses * 1024) / 1024).astype(np.float32)


def shares(losses, rate):
    """The formula in float64, with the smallest total taken off."""
    losses = np.float64(losses)
    totals = np.cumsum(losses, axis=0) - losses
    weights = np.exp(-np.float64(rate) * (totals - totals.min(axis=1, keepdims=True)))
    return weights / weights.sum(axis=1, keepdims=True)


def check(found, losses, rate):
    assert_close(found, shares(losses, rate), rtol=1e-3, atol=1e-5)


@pytest.mark.hint("Compute the shares of the first two rounds by hand.")
def test_few_rounds_are_right(submission, rng):
    """For a few rounds the shares are those of the formula, the first ones equal."""
    for rounds, experts, rate in ((6, 4, 0.7), (1, 3, 1.0), (3, 1, 0.5), (5, 3, 0.0)):
        losses = draw(rng, rounds, experts)
        check(submission.hedge(losses, np.float32(rate)), losses, rate)


@pytest.mark.hint("Does the sign of a loss matter?")
def test_losses_may_be_gains(submission, rng):
    """A negative loss makes a share larger."""
    losses = draw(rng, 8, low=-0.5)
    check(submission.hedge(losses, np.float32(1.5)), losses, 1.5)


@pytest.mark.points(4)
@pytest.mark.hint("How large are the weights after 40 rounds? Which number comes below 1e-45?")
def test_many_rounds_are_right(submission, rng):
    """After hundreds of rounds, the shares are still those of the formula."""
    for rate in (1.0, 0.6):
        losses = level(draw(rng, 260), np.linspace(2, 2.01, 4))
        check(submission.hedge(losses, np.float32(rate)), losses, rate)
    with case("for gains", hint="How large can a weight be in float32?"):
        check(submission.hedge(-losses, np.float32(1)), -losses, 1)
    with case("where one expert is far better", hint="Which of the exponentials is the largest?"):
        losses = draw(rng, 60, 3) + np.float32([9, 0, 9])
        check(submission.hedge(losses, np.float32(1)), losses, 1)


@pytest.mark.points(2)
@pytest.mark.hint("What became of a weight that was 0 once? Can it grow again?")
def test_a_bad_expert_can_come_back(submission, rng):
    """An expert whose share was 0 for long has a large one when all others were bad for longer."""
    losses = draw(rng, 120, 3) / 20
    losses[:50, 0] += 3
    losses[50:110, 1:] += 3
    check(submission.hedge(losses, np.float32(1)), losses, 1)


@pytest.mark.points(2)
@pytest.mark.hint("Is the gradient finite, too, after so many rounds?")
def test_it_can_be_transformed(submission, rng):
    """After 150 rounds, a batch under `vmap` and `jit` is right, and so is the gradient."""
    losses = np.stack([level(draw(rng, 150, 3), np.array([1, 1.005, 1.01])) for _ in range(2)])
    rate = np.float32(1)
    found = submission.hedge.vmap(in_axes=(0, None)).jit()(losses, rate)
    assert_close(found, np.stack([shares(part, 1) for part in losses]), rtol=1e-3, atol=1e-5)

    def last(hedge, losses, rate):
        return jnp.log(hedge(losses, rate)[-1, 0])

    slopes = submission.hedge.used_by(last).grad().jit()(losses[0], rate)
    expected = np.tile(shares(losses[0], 1)[-1] - np.array([1, 0, 0]), (150, 1))
    expected[-1] = 0
    assert_close(slopes, expected, rtol=1e-3, atol=1e-4)
