"""slope(f, x): the derivative of a function of one number, compared with formulas."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def cubic(x):
    return x**3 - 2 * x


def wave(x):
    return jnp.sin(2 * x) + jnp.exp(x)


def cubic_slope(x):
    return 3 * np.float64(x) ** 2 - 2


def wave_slope(x):
    return 2 * np.cos(2 * np.float64(x)) + np.exp(np.float64(x))


def draw(rng):
    return np.float32(rng.uniform(1, 3))


@pytest.mark.points(4)
@pytest.mark.hint("`jax.grad` returns a function. What do you call it with?")
def test_the_slope_is_the_derivative(submission, rng):
    """The result is the derivative at x, exact to the last digits."""
    for f, right in ((cubic, cubic_slope), (wave, wave_slope)):
        for x in (draw(rng), -draw(rng)):
            assert_close(submission.slope(f, x), np.asarray(right(x)), atol=2e-5)
            assert_close(submission.slope(f, float(x)), np.asarray(right(x)), atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("`jax.grad` takes floats only. Where does an integer become one?")
def test_an_integer_counts_as_a_float(submission, rng):
    """A Python int and an integer array give the slope there, as a float32."""
    n = int(rng.integers(2, 99))
    assert_close(submission.slope(cubic, n), np.asarray(cubic_slope(n)))
    assert_close(submission.slope(cubic, np.int32(-n)), np.asarray(cubic_slope(n)))


def along_a_curve(slope, xs):
    return jax.vmap(lambda x: slope(wave, x))(xs)


def of_the_slope(slope, x):
    return slope(lambda x: slope(cubic, x), x)


@pytest.mark.points(2)
@pytest.mark.hint("Under jit and vmap, x has no value. Which of your functions needs one?")
def test_it_survives_jit_and_vmap(submission, rng):
    """Under `jit` and `vmap`, there is a slope at each of many numbers."""
    xs = rng.uniform(-2, 2, size=6).astype(np.float32)
    found = submission.slope.used_by(along_a_curve).jit()(xs)
    assert_close(found, wave_slope(xs), atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("In the outer slope, the x of the inner one has no value yet.")
def test_the_slope_has_a_slope(submission, rng):
    """The slope of the slope is the second derivative."""
    x = draw(rng)
    assert_close(submission.slope.used_by(of_the_slope)(x), np.asarray(6 * np.float64(x)))
