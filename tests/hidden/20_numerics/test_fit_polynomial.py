"""fit_polynomial(t, y, degree): least squares in float32, against NumPy in float64.

The middle and the half of all ranges are exact in float32: a rounded one would change the result.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case


def spread(rng, m, middle=0, half=1):
    """m numbers, about evenly spread over a range, in any order."""
    u = np.linspace(-1, 1, m)
    u[1:-1] += rng.uniform(-0.3, 0.3, m - 2) * 2 / m
    return rng.permutation(middle + half * u).astype(np.float32)


def powers(t, degree):
    """The matrix of the fit."""
    t = np.float64(t)
    u = (2 * t - t.min() - t.max()) / (t.max() - t.min())
    return np.vander(u, degree + 1, increasing=True)


def best(t, y, degree):
    return np.linalg.lstsq(powers(t, degree), np.float64(y), rcond=None)[0]


def draw(rng, m, degree, noise=0.1, **where):
    """Points near a polynomial whose coefficients are about 1."""
    t = spread(rng, m, **where)
    c = rng.uniform(0.5, 1.5, degree + 1) * rng.choice([-1, 1], degree + 1)
    y = powers(t, degree) @ c + noise * rng.normal(size=m)
    return t, y.astype(np.float32)


def check(found, t, y, degree, atol=1e-3):
    assert_close(found, best(t, y, degree), atol=atol)


def loss(f, t, y, weights):
    """A loss of the coefficients."""
    return weights @ f(t, y, len(weights) - 1)


def by_t(t, y, weights):
    """The gradient of the loss in t, for degree 2."""
    h, wide = 1e-5, np.float64(t)
    steps = h * np.eye(len(t))
    return np.array(
        [weights @ (best(wide + s, y, 2) - best(wide - s, y, 2)) / 2 / h for s in steps]
    )


@pytest.mark.points(2)
@pytest.mark.hint("How many columns does the matrix have, and which power is in which column?")
def test_the_coefficients_are_the_best_ones(submission, rng):
    """For t from -1 to 1 the sum of squares is smallest; the lowest power comes first."""
    for m, degree in ((12, 2), (7, 1), (9, 3)):
        with case(f"for degree {degree}"):
            t, y = draw(rng, m, degree)
            check(submission.fit_polynomial(t, y, degree), t, y, degree)


@pytest.mark.points(2)
@pytest.mark.hint("What is u at the smallest t, and at the largest? Is t sorted?")
def test_t_may_have_any_range(submission, rng):
    """Wherever t is, and however wide its range, the coefficients are those of powers of u."""
    for middle, half in ((0, 8), (2000, 16), (-3, 0.5)):
        with case(f"for t from {middle - half} to {middle + half}"):
            t, y = draw(rng, 12, 2, middle=middle, half=half)
            check(submission.fit_polynomial(t, y, 2), t, y, 2)


@pytest.mark.points(4)
@pytest.mark.hint("What is the condition number of the matrix that you solve with or invert?")
def test_a_high_degree_keeps_its_digits(submission, rng):
    """For degree 10 each coefficient is within 0.003 of the exact one."""
    for m in (40, 80):
        # Right methods are off by some 1e-4, and normal equations by 5e-2 to 1.
        t, y = draw(rng, m, 10, noise=0.01)
        check(submission.fit_polynomial(t, y, 10), t, y, 10, atol=3e-3)


@pytest.mark.hint("Does the gradient pass through all your steps, and do they keep the digits?")
def test_the_gradients_are_those_of_the_coefficients(submission, rng):
    """The coefficients have the right gradients in t and y, and the one in y keeps its digits."""
    used = submission.fit_polynomial.used_by(loss)
    with case("in y, for degree 10"):
        t, y = draw(rng, 40, 10, noise=0.01)
        weights = rng.uniform(-1, 1, 11).astype(np.float32)
        expected = np.linalg.pinv(powers(t, 10)).T @ np.float64(weights)
        found = used.grad(argnums=1)(t, y, weights)
        assert_close(found, expected, atol=1e-3 * np.abs(expected).max())
    with case("in t and y, for degree 2"):
        t, y = draw(rng, 8, 2, middle=3, half=2)
        weights = rng.uniform(1, 2, 3).astype(np.float32)
        by_y = np.linalg.pinv(powers(t, 2)).T @ np.float64(weights)
        found = used.grad(argnums=(0, 1))(t, y, weights)
        assert_close(found, (by_t(t, y, weights), by_y), rtol=1e-3, atol=1e-3)


def test_details(submission, rng):
    """It works under `jit` and `vmap`, for degree 0, and for the gradient where u is 0."""
    with case("under `jit` and `vmap`", hint="Each series has its own range."):
        ranges = ((0, 1), (4, 2), (-3, 0.5))
        each = [draw(rng, 9, 2, middle=middle, half=half) for middle, half in ranges]
        found = (
            submission.fit_polynomial.used_by(quadratic)
            .vmap()
            .jit()(*map(np.stack, zip(*each, strict=True)))
        )
        assert_close(found, np.stack([best(t, y, 2) for t, y in each]), atol=1e-3)
    with case("for degree 0", hint="The power 0 of any number is 1. What is the best constant?"):
        t, y = draw(rng, 5, 1, middle=3, half=2)
        check(submission.fit_polynomial(t, y, 0), t, y, 0)
    with case("for the gradient where u is 0", hint="What is the derivative of u^0 there?"):
        t, y = draw(rng, 7, 2)
        t[np.abs(t).argmin()] = 0
        weights = rng.uniform(1, 2, 3).astype(np.float32)
        found = submission.fit_polynomial.used_by(loss).grad()(t, y, weights)
        assert_close(found, by_t(t, y, weights), rtol=1e-3, atol=1e-3)


def quadratic(f, t, y):
    return f(t, y, 2)
