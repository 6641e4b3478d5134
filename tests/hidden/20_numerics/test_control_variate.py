"""control_variate(f, g, mean_g, key, n): estimate and error from the draws of the key.

The functions of x work for arrays of JAX and of NumPy. So they also say what is right.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case, key


def cubic(x):
    return x * x * x + 3 * x - x * x


def bent(x):
    return 2 * x + x * x / 5


def itself(x):
    return x


def square(x):
    return x * x


def shifted_square(x):
    return 3 - x * x * 2


def far_away(x):
    return cubic(x) / 4 + 10_000


def constant(x):
    return 0 * x + 2


# Each control with its mean.
CONTROLS = [(itself, 0), (square, 1), (shifted_square, 1)]


def right(f, g, mean_g, x):
    """The formulas in float64."""
    values, control = f(x.astype(np.float64)), g(x.astype(np.float64))
    a, b = values - values.mean(), control - control.mean()
    spread = np.mean(b * b)
    c = np.mean(a * b) / spread if spread > 0 else 0.0
    estimate = values.mean() - c * (control.mean() - mean_g)
    return np.float32(estimate), np.float32(np.sqrt(np.mean((a - c * b) ** 2) / len(x)))


def ask(submission, rng, f, g, mean_g, n):
    given = f, g, mean_g, key(rng), n
    found = submission.control_variate.program(*given).structured(*given)
    return found, right(f, g, mean_g, np.asarray(jax.random.normal(given[3], (n,))))


@pytest.mark.points(3)
@pytest.mark.hint("Which draws do f and g get? And what does c times m(g) - mean_g correct?")
def test_the_estimate_is_corrected(submission, rng):
    """The estimate is that of the formula, for the draws of the key."""
    for n in (9, 60):
        for g, mean_g in CONTROLS:
            found, expected = ask(submission, rng, cubic, g, np.float32(mean_g), n)
            assert_close(found[0], expected[0], rtol=2e-5, atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("The error is that of the corrected values. What is divided by n, and when?")
def test_the_error_is_that_of_the_corrected_values(submission, rng):
    """The error is that of the formula."""
    for n in (9, 60):
        for g, mean_g in CONTROLS:
            found, expected = ask(submission, rng, cubic, g, np.float32(mean_g), n)
            assert_close(found[1], expected[1], rtol=1e-4)
    found, expected = ask(submission, rng, square, shifted_square, np.float32(1), 60)
    assert_close(found, (expected[0], np.float32(0)), atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("How many digits of a difference of float32 numbers near 100,000,000 are right?")
def test_a_large_mean_costs_no_digits(submission, rng):
    """If f is large and its spread is small, estimate and error are right."""
    for g, mean_g in CONTROLS:
        (estimate, error), expected = ask(submission, rng, far_away, g, np.float32(mean_g), 60)
        # A number near 10,000 is rounded to about 0.001.
        assert_close(estimate, expected[0], rtol=0, atol=0.02)
        assert_close(error, expected[1], rtol=0.01)


@pytest.mark.points(2)
@pytest.mark.hint("Look at the estimates for many keys. Do they vary less than plain means?")
def test_estimates_vary_less_than_plain_means(submission, rng):
    """Under `vmap` over 100 keys, the estimates are right, and their spread is small."""
    keys = jax.random.split(key(rng), 100)

    def each(control_variate, key):
        return control_variate(bent, itself, np.float32(0), key, 40)

    estimates, errors = submission.control_variate.used_by(each).vmap().jit()(keys)
    draws = np.asarray(jax.vmap(lambda key: jax.random.normal(key, (40,)))(keys))
    expected = [right(bent, itself, 0.0, x) for x in draws]
    assert_close(estimates, np.array([e for e, _ in expected]), rtol=2e-5, atol=2e-5)
    assert_close(errors, np.array([e for _, e in expected]), rtol=1e-4)
    plain = np.array([bent(x).mean() for x in draws])
    # The part of `bent` that a line doesn't explain has a seventh of the spread.
    assert estimates.std() < plain.std() / 3, "The estimates vary as much as plain means."


def test_details(submission, rng):
    """It works for a constant control, and for a mean that is a Python number."""
    with case("for a control that is constant", hint="What is 0 / 0? Which c is required?"):
        found, expected = ask(submission, rng, cubic, constant, np.float32(2), 9)
        assert_close(found, expected, rtol=2e-5, atol=2e-5)
    with case("for a mean that is a Python number", hint="Do you use an array method of `mean_g`?"):
        found, expected = ask(submission, rng, cubic, square, 1.0, 9)
        assert_close(found, expected, rtol=1e-4, atol=2e-5)
