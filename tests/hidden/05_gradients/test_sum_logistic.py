"""sum_logistic(x): value and derivatives up to the third, compared with closed forms.

Tolerances are absolute: a right answer may subtract from 1, which leaves 0 few digits.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, *shape):
    return np.asarray(rng.uniform(-12, 12, size=shape), np.float32)


def huge(rng):
    """Huge numbers of both signs among others, in any order."""
    x = [-200, 200, -1000, 1000, 90, -90, *rng.uniform(-1e4, 1e4, 4), *rng.uniform(-4, 4, 4)]
    return rng.permutation(x).astype(np.float32)


def logistic(x):
    return 1 / (1 + np.exp(-np.clip(x.astype(np.float64), -700, 700)))


def slope(x):
    s = logistic(x)
    return s * (1 - s)


def third(x):
    s = logistic(x)
    return s * (1 - s) * (1 - 6 * s + 6 * s**2)


@pytest.mark.hint("Check the parentheses, and sum over all axes.")
def test_the_value_is_the_sum(submission, rng):
    """The value is the sum over all elements of a vector, of a matrix, or of a number."""
    for shape in ((7,), (4, 3), (), (2, 3, 4)):
        x = draw(rng, *shape)
        assert_close(submission.sum_logistic(x), np.asarray(logistic(x).sum()), atol=1e-5)
    x = draw(rng)
    assert_close(submission.sum_logistic(float(x)), np.asarray(logistic(x)), atol=1e-5)


@pytest.mark.hint("The gradient of each element is s (1 - s), where s is its logistic function.")
def test_the_gradient_has_its_closed_form(submission, rng):
    """Each element of a vector and of a matrix has the gradient s (1 - s)."""
    for shape in ((9,), (4, 3)):
        x = draw(rng, *shape)
        assert_close(submission.sum_logistic.grad()(x), slope(x), atol=2e-6)


@pytest.mark.hint(
    "A gradient is a function that you can differentiate again. Does anything prevent this?"
)
def test_the_third_derivative_is_right(submission, rng):
    """The third derivative has its closed form, and is -0.03533 at 1."""
    derivative = submission.sum_logistic.grad().grad().grad().program(np.float32(0))
    for x in np.float32([1, *rng.uniform(-3.9, 3.9, 4)]):
        assert_close(derivative(x), np.asarray(third(x)), atol=5e-6)
    for x in np.float32([200, -200, rng.uniform(-48, -46)]):
        with case(f"at {x:.0f}", hint="The slope may be finite while its factors are not."):
            assert_close(derivative(x), np.asarray(third(x)), atol=5e-6)


@pytest.mark.hint(
    "exp(200) is infinite in float32. Do you divide by it, or divide it by something?"
)
def test_the_value_is_finite_for_huge_numbers(submission, rng):
    """At 200, the function is 1, and at -200 it is 0, next to other numbers."""
    x = huge(rng)
    assert_close(submission.sum_logistic(x), np.asarray(logistic(x).sum()), atol=1e-5)
    for number, value in ((-1000.0, 0.0), (1000.0, 1.0)):
        assert_close(submission.sum_logistic(number), np.asarray(value), atol=1e-6)


@pytest.mark.points(4)
@pytest.mark.hint(
    "The value may be right while its gradient is NaN. Which steps does the gradient go through?"
)
def test_the_gradient_is_finite_for_huge_numbers(submission, rng):
    """At 200 and at -200, the gradient is 0, and that of other numbers stays right."""
    gradient = submission.sum_logistic.grad()
    for x in np.float32([-200, 200]):
        assert_close(gradient(x), np.asarray(0.0), atol=1e-6)
    x = huge(rng)
    assert_close(gradient(x), slope(x), atol=2e-6)


@pytest.mark.hint("Do you use a function that isn't from jnp, lax or jax.nn?")
def test_it_survives_jit_and_vmap(submission, rng):
    """Under `jit` and `vmap`, each row has its own sum."""
    x = draw(rng, 5, 3)
    assert_close(submission.sum_logistic.vmap().jit()(x), logistic(x).sum(axis=1), atol=1e-5)


def test_details(submission, rng):
    """It works without elements."""
    with case("without elements", hint="What is an empty sum? Is it still a float?"):
        x = draw(rng, 4)
        for part in (x[:0], x):
            right = np.asarray(logistic(part).sum())
            assert_close(submission.sum_logistic(part), right, atol=1e-5)
