"""td_loss(w, s, r, s2, gamma): a squared error whose target is a constant for derivatives.

The reward is chosen so that the error is between 1 and 3. So nothing cancels, no gradient is small
by chance, and an absolute tolerance is fair.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case

CLOSE = 1e-4


def draw(rng, n, gamma=None):
    """Arguments in float32 whose error is between 1 and 3."""
    w, s, s2 = (rng.uniform(0.5, 1.5, n) * rng.choice([-1, 1], n) for _ in range(3))
    gamma = rng.uniform(0.6, 0.95) if gamma is None else gamma
    r = rng.choice([-1, 1]) * rng.uniform(1, 3) + w @ s - gamma * w @ s2
    return tuple(np.asarray(part, np.float32) for part in (w, s, r, s2, gamma))


def error(w, s, r, s2, gamma):
    """Target minus guess, in float64."""
    w, s, r, s2, gamma = (part.astype(np.float64) for part in (w, s, r, s2, gamma))
    return np.asarray(r + gamma * w @ s2 - w @ s)


def weighted(td_loss, w, s, r, s2, gamma, weight):
    """A part of a larger loss, to which a gradient arrives that isn't 1."""
    return weight * td_loss(w, s, r, s2, gamma)


@pytest.mark.hint("Compute target and guess for one example on paper, and compare each with yours.")
def test_the_value_is_the_squared_error(submission, rng):
    """The value is the square of target minus guess; reward and discount may be Python floats."""
    for n in (3, 1, 6):
        w, s, r, s2, gamma = arguments = draw(rng, n)
        assert_close(submission.td_loss(*arguments), error(*arguments) ** 2, atol=CLOSE)
        found = submission.td_loss(w, s, float(r), s2, float(gamma))
        assert_close(found, error(*arguments) ** 2, atol=CLOSE)


@pytest.mark.points(3)
@pytest.mark.hint("Where does w occur, and in which of the two places may the loss change it?")
def test_the_weights_learn_from_the_guess_alone(submission, rng):
    """The gradient in the weights is -2 * error * s, even where both states are the same."""
    w, s, r, s2, gamma = draw(rng, 5)
    for after in (s2, s):
        expected = -2 * error(w, s, r, after, gamma) * s
        assert_close(submission.td_loss.grad()(w, s, r, after, gamma), expected, atol=CLOSE)


@pytest.mark.points(3)
@pytest.mark.hint("The whole target is constant, not only the weights in it.")
def test_nothing_flows_through_the_target(submission, rng):
    """`s` has its gradient, and `r`, `s2` and `gamma` have gradient 0."""
    gradient = submission.td_loss.used_by(weighted).grad(argnums=(1, 2, 3, 4))
    for discount in (None, 0.0, 1.0):
        arguments = w, _, r, s2, gamma = draw(rng, 5, discount)
        weight = np.float32(rng.uniform(2, 3))
        zeros = tuple(np.zeros_like(part) for part in (r, s2, gamma))
        expected = -2 * weight * error(*arguments) * w
        assert_close(gradient(*arguments, weight), (expected, *zeros), atol=CLOSE)


@pytest.mark.hint("Write it for one transition, using only JAX operations; vmap does the rest.")
def test_a_batch_keeps_its_targets_apart(submission, rng):
    """Under `vmap` and `jit`, each transition has its own value and gradient."""
    n = 4
    w, _, _, _, gamma = draw(rng, n)
    s, s2 = (rng.uniform(0.5, 1.5, (n, n)).astype(np.float32) for _ in range(2))
    r = (rng.uniform(1, 3, n) + s @ w - gamma * s2 @ w).astype(np.float32)
    errors = np.array([error(w, s[b], r[b], s2[b], gamma) for b in range(n)])
    batch = submission.td_loss.value_and_grad().vmap(in_axes=(None, 0, 0, 0, None)).jit()
    assert_close(batch(w, s, r, s2, gamma), (errors**2, -2 * errors[:, None] * s), atol=CLOSE)


@pytest.mark.hint("An episode ends where gamma is 0. Does your code test its value?")
def test_the_discount_is_known_at_run_time_only(submission, rng):
    """Under `jit`, one program serves every discount, including 0 and 1."""
    jitted = submission.td_loss.jit()
    for gamma in (0.7, 0.0, 1.0):
        arguments = draw(rng, 3, gamma)
        assert_close(jitted(*arguments), error(*arguments) ** 2, atol=CLOSE)


def test_details(submission, rng):
    """It works where the error is 0, and where an argument is NaN."""
    w, s, r, s2, gamma = draw(rng, 3)
    with case("where the error is 0", hint="A square root has no slope at 0. Do you compute one?"):
        found = submission.td_loss.grad()(0 * w, s, 0 * r, s2, gamma)
        assert_close(found, np.zeros_like(w))
    for k, name in enumerate(("w", "s", "r", "s2")):
        with case(f"where {name} is NaN", hint="An unknown input makes the loss unknown."):
            broken = [w, s, r, s2, gamma]
            broken[k] = np.full_like(broken[k], np.nan)
            assert_close(submission.td_loss(*broken), np.float32(np.nan), nonfinite=True)
    given = w, s, r, s2, gamma
    assert_close(submission.td_loss(*given), error(*given) ** 2, atol=CLOSE)
