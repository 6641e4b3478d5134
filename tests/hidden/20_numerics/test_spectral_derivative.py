"""spectral_derivative(y, period, order): sums of waves, against their derivatives in float64."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

TURN = np.float32(2 * np.pi)


def waves(rng, n, *shape):
    """Amplitudes of cosines and sines with less than n / 2 periods, all of them about 1."""
    count = (n + 1) // 2
    size = rng.uniform(0.5, 1.5, (2, *shape, count)) * rng.choice([-1, 1], (2, *shape, count))
    return size[0], size[1]


def sampled(amplitudes, n, period, order=0):
    """A derivative of the sum of these waves, at the n points."""
    of_cos, of_sin = amplitudes
    k = np.arange(of_cos.shape[-1])
    phase = 2 * np.pi * np.outer(k, np.arange(n)) / n + order * np.pi / 2
    w = (2 * np.pi * k / np.float64(period)) ** order
    return (w * of_cos) @ np.cos(phase) + (w * of_sin) @ np.sin(phase)


def check(found, expected):
    assert_close(found, expected, atol=1e-4 * max(1, np.abs(expected).max()))


def pulled(f, y, period, g, order):
    """The gradient in y, where `g` arrives."""
    return jax.vjp(lambda y: f(y, period, order), y)[1](g)[0]


def first_pulled(f, y, period, g):
    return pulled(f, y, period, g, 1)


def second_pulled(f, y, period, g):
    return pulled(f, y, period, g, 2)


@pytest.mark.points(3)
@pytest.mark.hint("What is the factor of a wave, and which wave is at which place?")
def test_the_first_derivative_of_waves_is_exact(submission, rng):
    """For sums of waves, the result is the first derivative, for even and for odd n."""
    for n in (9, 16):
        with case(f"for {n} points"):
            amplitudes = waves(rng, n)
            y = sampled(amplitudes, n, TURN).astype(np.float32)
            check(submission.spectral_derivative(y, TURN), sampled(amplitudes, n, TURN, 1))


@pytest.mark.hint("How many periods of a wave fit into a length of 1?")
def test_the_period_is_known_at_run_time(submission, rng):
    """Under `jit` the same program serves every period."""
    amplitudes = waves(rng, 9)
    y = sampled(amplitudes, 9, 1).astype(np.float32)
    program = submission.spectral_derivative.program(y, TURN)
    for period in np.float32([1, 0.3, 25]):
        check(program(y, period), sampled(amplitudes, 9, period, 1))


@pytest.mark.hint("What is the derivative of a wave's derivative?")
def test_higher_derivatives(submission, rng):
    """The second and third derivatives of sums of waves are also exact."""
    for n, order in ((9, 2), (9, 3), (8, 3), (8, 2)):
        with case(f"for order {order} and {n} points"):
            amplitudes = waves(rng, n)
            y = sampled(amplitudes, n, 3).astype(np.float32)
            expected = sampled(amplitudes, n, 3, order)
            check(submission.spectral_derivative(y, np.float32(3), order), expected)


@pytest.mark.points(2)
@pytest.mark.hint("Which factor does the wave 1, -1, 1, -1, ... have for each order?")
def test_the_wave_in_the_middle(submission, rng):
    """For even n the cosine with n / 2 periods has no odd derivatives, but has even ones."""
    for n, order in ((8, 1), (8, 2), (6, 3), (6, 4)):
        with case(f"for order {order} and {n} points"):
            amplitudes = waves(rng, n)
            size = rng.uniform(1, 2)
            middle = size * (-1.0) ** np.arange(n)
            y = (sampled(amplitudes, n, TURN) + middle).astype(np.float32)
            factor = 0 if order % 2 else (-1) ** (order // 2) * (n / 2) ** order
            expected = sampled(amplitudes, n, TURN, order) + factor * middle
            check(submission.spectral_derivative(y, TURN, order), expected)


@pytest.mark.hint("Is the gradient real, and does it pass through the waves?")
def test_the_gradient_is_real_and_right(submission, rng):
    """The gradient in y is the transposed map of the incoming gradient."""
    for n in (9, 8):
        of_y, amplitudes = waves(rng, n), waves(rng, n)
        y, g = (sampled(part, n, TURN).astype(np.float32) for part in (of_y, amplitudes))
        for order, used in ((1, first_pulled), (2, second_pulled)):
            with case(f"for order {order} and {n} points"):
                found = submission.spectral_derivative.used_by(used)(y, TURN, g)
                check(found, (-1) ** order * sampled(amplitudes, n, TURN, order))


@pytest.mark.hint("Which array of your program has a row and a column for each point?")
def test_there_is_no_table(submission, rng):
    """With 300 points the program creates no table of n x n numbers, not even in pieces."""
    n = 300
    few = [np.pad(part, (0, 140)) for part in waves(rng, 20)]
    y = sampled(few, n, TURN).astype(np.float32)
    program = submission.spectral_derivative.program(y, TURN)
    check(program(y, TURN), sampled(few, n, TURN, 1))
    # A table that is only written takes more than that.
    assert program.bytes < 3 * n * n


def test_details(submission, rng):
    """It works for several axes, order 0, one or two points, and a Python float as period."""
    with case("for several axes", hint="The points are along the last axis."):
        amplitudes = waves(rng, 4, 4)
        y = sampled(amplitudes, 4, TURN).astype(np.float32)
        check(submission.spectral_derivative(y, TURN), sampled(amplitudes, 4, TURN, 1))
        amplitudes = waves(rng, 7, 2, 3)
        y = sampled(amplitudes, 7, TURN).astype(np.float32)
        check(submission.spectral_derivative(y, TURN), sampled(amplitudes, 7, TURN, 1))
    y = rng.uniform(1, 2, 6).astype(np.float32)
    with case("for order 0", hint="The factor of every wave is 1, even that of the constant."):
        check(submission.spectral_derivative(y, TURN, 0), np.float64(y))
    with case("for one point", hint="A single point is a constant function."):
        check(submission.spectral_derivative(y[:1], TURN), np.zeros(1))
    with case("for two points", hint="They represent a constant and the middle wave."):
        check(submission.spectral_derivative(y[:2], TURN), np.zeros(2))
    with case("for a period that is a Python float", hint="Do you use a method of an array?"):
        amplitudes = waves(rng, 9)
        y = sampled(amplitudes, 9, 2).astype(np.float32)
        check(submission.spectral_derivative(y, 2.0), sampled(amplitudes, 9, 2, 1))
