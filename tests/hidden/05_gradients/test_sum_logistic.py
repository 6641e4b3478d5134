"""sum_logistic(x): value and derivatives up to the third, compared with closed forms.

Tolerances are absolute: a right answer may subtract from 1, which leaves 0 few digits.
"""

import math

import jax
import numpy as np
import pytest

from grader.suite import assert_close

MANY = 300


def draw(rng, *shape):
    """Numbers from -12 to 12, one in each of as many intervals of equal length."""
    size = math.prod(shape)
    if not size:
        return np.zeros(shape, np.float32)
    x = 24 * (rng.permutation(size) + rng.random(size)) / size - 12
    return np.asarray(x.reshape(shape), np.float32)


def logistic(x):
    return 1 / (1 + np.exp(-x.astype(np.float64)))


def slope(x):
    s = logistic(x)
    return s * (1 - s)


def extremes(rng):
    """A few numbers among huge ones, in any order: (x, where x is huge).

    Most are huge and negative, so that the sum stays small.
    """
    huge = [-200, 200, -1000, 1000, 200, 90, -90, 88, 1e30, -3e38]
    negative = rng.choice([-200, -1000, -90, -3e38], size=MANY - 14)
    x = np.concatenate([huge, negative, rng.uniform(-4, 4, size=4)])
    x = rng.permutation(x).astype(np.float32)
    return x, np.abs(x) > 50


def everywhere(rng):
    """0 and numbers of every size, in any order: closely spaced to 110, and then to 3e38."""
    near = 220 * (np.arange(2000) + rng.random(2000)) / 2000 - 110
    far = rng.choice([-1, 1], size=500) * 10 ** rng.uniform(-38, 38.5, size=500)
    return rng.permutation(np.concatenate([near, far, [0]])).astype(np.float32)


def derivatives(sum_logistic, x):
    """The first four derivatives in each element, where the others don't matter.

    They are those of twice the sum, halved.
    """

    def and_one_more(known):
        """A function that returns one derivative more than `known`."""

        def summed(x):
            found = known(x)
            return found[-1].sum(), found

        def more(x):
            derivative, found = jax.grad(summed, has_aux=True)(x)
            return (*found, derivative)

        return more

    def function(x):
        return (jax.grad(lambda x: 2 * sum_logistic(x))(x),)

    for _ in range(3):
        function = and_one_more(function)
    return [part / 2 for part in function(x)]


def closed_forms(x):
    s = logistic(np.clip(x, -700, 700))
    slope = s * (1 - s)
    return (
        slope,
        slope * (1 - 2 * s),
        slope * (1 - 6 * s + 6 * s**2),
        slope * (1 - 14 * s + 36 * s**2 - 24 * s**3),
    )


@pytest.mark.hint("Mind the brackets, and add over all axes.")
def test_the_value_is_the_sum(submission, rng):
    """The value is the sum over all elements of a vector, of five axes, or of a number."""
    for shape in [(), (0,), (1, 2, 3, 1, 2)]:
        x = draw(rng, *shape)
        assert_close(submission.sum_logistic(x), np.asarray(logistic(x).sum()), atol=1e-5)
    many = draw(rng, MANY)
    many[0] = 0
    assert_close(submission.sum_logistic(many), np.asarray(logistic(many).sum()))
    many[rng.integers(MANY)] = x[0, 1, 2, 0, 1] = np.nan
    for unknown in (many, x, np.float32(np.nan), np.nan):
        assert_close(submission.sum_logistic(unknown), np.float32(np.nan), nonfinite=True)
    x = draw(rng)
    assert_close(submission.sum_logistic(float(x)), np.asarray(logistic(x)), atol=1e-5)


@pytest.mark.hint("The gradient of each element is s (1 - s), where s is its logistic function.")
def test_the_gradient_has_its_closed_form(submission, rng):
    """Each element of a vector and of a matrix has the gradient s (1 - s)."""
    gradient = submission.sum_logistic.grad()
    for shape in [(MANY,), (4, 3)]:
        x = draw(rng, *shape)
        x[0] = 0
        assert_close(gradient(x), slope(x), atol=2e-6)


@pytest.mark.hint(
    "A gradient is a function that you can differentiate again. Does anything prevent that?"
)
def test_the_third_derivative_is_right(submission, rng):
    """The third derivative is -0.03533 at 1, and has its closed form at numbers of any size.

    So have the two before it, and the fourth has its own where numbers are small. They are
    derivatives of twice the sum, too.
    """
    third = submission.sum_logistic.grad().grad().grad().program(np.float32(0))
    assert_close(third(np.float32(1)), np.asarray(-0.0353255), atol=5e-6)
    for x in (*draw(rng, 3), np.float32(-200), np.float32(200), np.float32(-60)):
        assert_close(third(x), np.asarray(closed_forms(x)[2]), atol=5e-6)
    x = everywhere(rng)
    *found, fourth = submission.sum_logistic.used_by(derivatives)(x)
    *expected, expected_fourth = closed_forms(x)
    assert_close(found, expected, atol=5e-6)
    small = np.abs(x) < 12
    assert_close(fourth[small], expected_fourth[small], atol=5e-5)


@pytest.mark.hint(
    "exp(200) is infinite in float32. Do you divide by it, or divide it by something?"
)
def test_the_value_is_finite_for_huge_numbers(submission, rng):
    """At 200 and at -200 the function is 1 and 0, next to other numbers."""
    x, is_huge = extremes(rng)
    expected = np.where(is_huge, x > 0, logistic(np.where(is_huge, 0, x))).sum()
    assert_close(submission.sum_logistic(x), np.asarray(expected))
    for number, value in ((-1000.0, 0.0), (1000.0, 1.0)):
        assert_close(submission.sum_logistic(number), np.asarray(value), atol=5e-7)


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("exp(200) is infinite. What does the derivative of your formula do with it?")
def test_the_gradient_at_two_hundred_is_zero(submission):
    """At 200 and at -200, each alone, the gradient is 0."""
    program = submission.sum_logistic.grad().program(np.float32(0))
    for x in (-200, 200):
        assert_close(program(np.float32(x)), np.asarray(0.0), atol=1e-6)


@pytest.mark.points(2)
@pytest.mark.hint(
    "The value may be right and its gradient NaN. Through which steps does the gradient go?"
)
def test_the_gradient_is_finite_for_huge_numbers(submission, rng):
    """At numbers of any size the gradient is finite, and that of other numbers stays right."""
    x, is_huge = extremes(rng)
    expected = np.where(is_huge, 0, slope(np.where(is_huge, 0, x)))
    assert_close(submission.sum_logistic.grad()(x), expected)


@pytest.mark.hint("Do you use a function that isn't from jnp, lax or jax.nn?")
def test_it_survives_jit_and_vmap(submission, rng):
    """Under `jit` and `vmap` each row has its own sum."""
    x = draw(rng, 5, 3)
    assert_close(submission.sum_logistic.vmap().jit()(x), logistic(x).sum(axis=1), atol=1e-5)
