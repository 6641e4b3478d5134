"""policy_loss(log_probs, old_log_probs, rewards, values, last, ends, gamma, lam, clip).

No ratio is near a limit, and no advantage is near 0: there the gradient jumps.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

T = 9
FAR = {(good, side) for good in (True, False) for side in (-1, 1)}


def advantages(rewards, values, last, ends, gamma, lam):
    """The formula as a Python loop, in float64."""
    rewards, values = rewards.astype(np.float64), values.astype(np.float64)
    gamma, lam, after, later = float(gamma), float(lam), float(last), 0.0
    found = np.zeros(len(rewards))
    for t in reversed(range(len(rewards))):
        goes_on = gamma * (not ends[t])
        later = rewards[t] + goes_on * after - values[t] + lam * goes_on * later
        found[t], after = later, values[t]
    return found


def exact(log_probs, old_log_probs, rewards, values, last, ends, gamma, lam, clip):
    """The loss, the advantages, and the gradient in log_probs."""
    found = advantages(rewards, values, last, ends, gamma, lam)
    ratio = np.exp(log_probs.astype(np.float64) - old_log_probs)
    low, high = 1 - float(clip), 1 + float(clip)
    clipped = np.clip(ratio, low, high)
    loss = -np.minimum(ratio * found, clipped * found).mean()
    pulls = np.where(found > 0, ratio < high, ratio > low)
    return np.asarray(loss), found, np.where(pulls, -ratio * found / len(found), 0)


def draw(rng, length=T, ends=None, far=False):
    """Arguments in float32; with `far`, some ratios are beyond each limit."""
    while True:
        clip = rng.uniform(0.2, 0.3)
        old = rng.normal(size=length) - 1
        near = rng.uniform(-0.6, 0.6, length) * clip
        away = rng.choice([-2.5, 2.5], length) * clip
        log_probs = old + np.where(rng.random(length) < (0.6 if far else 0), away, near)
        rewards, values = 2 * rng.normal(size=(2, length))
        numbers = rng.normal() * 3, rng.uniform(0.6, 0.95), rng.uniform(0.5, 0.9)
        last, gamma, lam = numbers
        at_end = np.zeros(length, bool) if ends is None else np.asarray(ends)
        single = [np.float32(part) for part in (log_probs, old, rewards, values, last)]
        given = *single, at_end, np.float32(gamma), np.float32(lam), np.float32(clip)
        found = exact(*given)[1]
        # Beyond each limit there are good and bad actions.
        distance = (log_probs - old) / clip
        kinds = set(zip(found > 0, np.sign(distance) * (abs(distance) > 1), strict=True))
        complete = not far or {(good, side) for good, side in kinds if side} == FAR
        if np.abs(found).min() > 0.05 and complete:
            return given


def some_ends(rng):
    """Two ends inside, one of them at the start of the series or so."""
    ends = np.zeros(T, bool)
    ends[[rng.integers(1, 3), rng.integers(4, 7)]] = True
    return ends


def check(found, given):
    assert_close(found, exact(*given)[:2], atol=1e-4)


@pytest.mark.hint("What does each step need from the one after it? And after the last one?")
def test_advantages_without_an_end(submission, rng):
    """In a series without an end, the advantages are those of the formula, up to the last one."""
    for _ in range(2):
        given = draw(rng)
        assert_close(submission.policy_loss(*given)[1], exact(*given)[1], atol=1e-4)


@pytest.mark.hint("At an end two things of the next step don't count: its value and its advantage.")
def test_nothing_comes_from_the_next_episode(submission, rng):
    """If an episode ends, neither the next value nor the next advantage counts."""
    at_the_last = np.arange(T) == T - 1
    for ends in (some_ends(rng), some_ends(rng) | at_the_last):
        given = draw(rng, ends=ends)
        assert_close(submission.policy_loss(*given)[1], exact(*given)[1], atol=1e-4)


@pytest.mark.hint(
    "For which sign of the advantage does each limit apply? Which product is smaller?"
)
def test_the_loss_is_clipped(submission, rng):
    """The loss is right for ratios between the limits and beyond them, for good and bad actions."""
    for far in (False, True):
        given = draw(rng, ends=some_ends(rng), far=far)
        assert_close(submission.policy_loss(*given)[0], exact(*given)[0], atol=1e-4)


def slopes(policy_loss, log_probs, old, rewards, values, last, ends, gamma, lam, clip):
    """The gradients of the loss in all floats but the last one."""

    def loss(log_probs, old, rewards, values, last, gamma, lam):
        return policy_loss(log_probs, old, rewards, values, last, ends, gamma, lam, clip)[0]

    return jax.grad(loss, argnums=tuple(range(7)))(
        log_probs, old, rewards, values, last, gamma, lam
    )


@pytest.mark.points(3)
@pytest.mark.hint("A loss has a gradient in everything that it is computed from. What stops it?")
def test_the_gradient_is_in_the_new_policy_alone(submission, rng):
    """The gradient in the new log-probabilities is right, and all others are 0."""
    used = submission.policy_loss.used_by(slopes)
    for far in (False, True):
        given = draw(rng, ends=some_ends(rng), far=far)
        zeros = (np.zeros_like(part) for part in (*given[1:5], *given[6:8]))
        assert_close(used(*given), (exact(*given)[2], *zeros), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("The same parameters also produce the values. Which path does the gradient take?")
def test_a_network_with_two_heads(submission, rng):
    """A parameter that produces both policy and values learns from the policy alone."""

    def loss(policy_loss, w, log_probs, old, rewards, values, *others):
        return policy_loss(w * log_probs, old, rewards, w * values, *others)[0]

    given = draw(rng, ends=some_ends(rng), far=True)
    expected = np.asarray((exact(*given)[2] * given[0]).sum())
    found = submission.policy_loss.used_by(loss).grad()(np.float32(1), *given)
    assert_close(found, expected, atol=2e-4)


@pytest.mark.hint("A Python loop is traced once for each step. Which loop isn't?")
def test_the_program_does_not_grow(submission, rng):
    """The program for 300 steps has fewer than 300 operations."""
    length = 300
    given = draw(rng, 3)
    long = tuple(np.resize(part, length) if np.ndim(part) else part for part in given)
    program = submission.policy_loss.program(*long)
    # A loop that is written out has at least one operation for each step.
    assert program.size < length
    check(program.structured(*long), long)


def test_details(submission, rng):
    """It works under `vmap`, for Python floats, for a single step, and for equal policies."""
    with case("under `vmap`", hint="Write it for one series; `vmap` does the rest."):
        many = [draw(rng, ends=some_ends(rng), far=True) for _ in range(3)]
        given = tuple(map(np.stack, zip(*many, strict=True)))
        expected = tuple(map(np.stack, zip(*(exact(*one)[:2] for one in many), strict=True)))
        assert_close(submission.policy_loss.vmap()(*given), expected, atol=1e-4)
    with case("for Python floats", hint="`last` may be a float."):
        given = draw(rng)
        plain = [float(part) if np.ndim(part) == 0 else part for part in given]
        check(submission.policy_loss(*plain), given)
    with case("for a single step", hint="values[1:] is empty. What comes after the step?"):
        given = draw(rng, 1)
        check(submission.policy_loss.jit()(*given), given)
    with case("for equal policies", hint="The ratio is 1 everywhere, and it has a gradient."):
        given = draw(rng, ends=some_ends(rng))
        given = given[0], given[0], *given[2:]
        found = submission.policy_loss.used_by(slopes)(*given)[0]
        assert_close(found, exact(*given)[2], atol=1e-4)
