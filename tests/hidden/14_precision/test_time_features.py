"""time_features(seconds, period): against NumPy in float64."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

NOW = 1_700_000_000


def draw_period(rng, low=3, high=5):
    """Seconds that are no integer."""
    return np.float32(10 ** rng.uniform(low, high))


def draw_seconds(rng, *shape):
    """Times of today and later, each far from its neighbours in float32."""
    steps = rng.integers(NOW // 128, 2**24, size=shape)
    return (128 * steps + rng.integers(40, 60, size=shape)).astype(np.int32)


def expected(seconds, period):
    angle = 2 * np.pi * (seconds.astype(np.float64) / np.float64(period))
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1)


def check(result, seconds, period):
    assert_close(result, expected(seconds, period), rtol=0, atol=1e-4)


@pytest.mark.hint("The last axis holds the sine and the cosine of the same angle, as float32.")
def test_small_times(submission, rng):
    """For small times, the features have the right values, order, shape and dtype."""
    period = np.float32(rng.uniform(70, 80))
    for shape in [(2, 3), (2,), (1,)]:
        seconds = rng.integers(100, 999, size=shape).astype(np.int32)
        check(submission.time_features(seconds, period), seconds, period)


@pytest.mark.points(4)
@pytest.mark.hint("Which step of yours is the first one in float64? And is it really float64?")
def test_times_of_today(submission, rng):
    """For times of today, in one compiled program, the angles are right for many periods."""
    seconds = draw_seconds(rng, 50)
    jitted = submission.time_features.jit()
    with case("for a period of a second or two"):
        period = np.float32(1 + rng.uniform(0.1, 0.9))
        check(jitted(seconds, period), seconds, period)
    with case("for periods of minutes, hours and days"):
        for low in (2, 3, 4):
            period = draw_period(rng, low, low + 1)
            check(jitted(seconds, period), seconds, period)


def live(features, seconds, period):
    """Features in plain calls, and an array that is made afterwards."""
    return features(seconds, period), features(seconds, 2 * period), jnp.ones(2)


@pytest.mark.hint("Is the `with` statement closed, and is nothing set for the whole process?")
def test_a_plain_call(submission, rng):
    """A call outside `jit`, with a single time, is right; new arrays are float32 after it."""
    seconds, period = draw_seconds(rng), draw_period(rng)
    used = submission.time_features.used_by(live).reported()
    once, twice, ones = used(seconds, period)
    check(once, seconds, period)
    check(twice, seconds, 2 * period)
    assert ones.dtype == np.float32


def around(features, seconds, period):
    """Features, and what is made without a dtype before and after."""
    before = jnp.linspace(0, 1, 3) + jnp.arange(3)
    found = features(seconds, period)
    return found, (before, jnp.linspace(0, 1, 3), jnp.arange(3))


@pytest.mark.points(2)
@pytest.mark.hint("Ask for 64 bits in a `with` statement, not for the whole process.")
def test_the_rest_of_the_program_has_32_bits(submission, rng):
    """What the program makes before and after has 32 bits, in the same trace."""
    seconds, period = draw_seconds(rng, 4), draw_period(rng)
    found, others = submission.time_features.used_by(around).jit()(seconds, period)
    check(found, seconds, period)
    floats, integers = np.float32([0, 0.5, 1]), np.int32([0, 1, 2])
    assert_close(others, (floats + integers.astype(np.float32), floats, integers))


@pytest.mark.hint("Under vmap each time is a scalar. Which axis do you stack along?")
def test_a_batch_of_periods(submission, rng):
    """Under `vmap`, each time has its own period, or each period all times."""
    seconds, periods = draw_seconds(rng, 3), np.stack([draw_period(rng) for _ in range(3)])
    each = np.stack([expected(s, p) for s, p in zip(seconds, periods, strict=True)])
    found = submission.time_features.vmap()(seconds, periods)
    assert_close(found, each, rtol=0, atol=1e-4)
    found = submission.time_features.vmap(in_axes=(None, 0))(seconds, periods)
    all_times = np.stack([expected(seconds, p) for p in periods])
    assert_close(found, all_times, rtol=0, atol=1e-4)


def inside(features, seconds, period):
    """What a caller makes afterwards that has 64 bits, in a block or everywhere."""
    with jax.enable_x64(True):
        features(seconds, period)
        in_a_block = jnp.ones(3)
    after = jnp.ones(3)
    jax.config.update("jax_enable_x64", True)
    try:
        features(seconds, period)
        everywhere = jnp.ones(3)
    finally:
        jax.config.update("jax_enable_x64", False)
    return in_a_block.dtype.itemsize, everywhere.dtype.itemsize, after


def test_details(submission, rng):
    """It works for negative and extreme times, and for a caller that has 64 bits."""
    period = draw_period(rng, 1, 3)
    with case("for negative times", hint="Does a step of yours need times above zero?"):
        seconds = -draw_seconds(rng, 5)
        check(submission.time_features(seconds, period), seconds, period)
    with case("for the largest and the smallest int32", hint="Does a step in integers run over?"):
        seconds = np.int32([-(2**31), 2**31 - 1, 0, -1])
        check(submission.time_features(seconds, period), seconds, period)
    with case("for a caller that has 64 bits", hint="What was the default before your call?"):
        used = submission.time_features.used_by(inside).jit().reported()
        in_a_block, everywhere, after = used(draw_seconds(rng, 4), period)
        assert in_a_block == everywhere == 8, "The caller has no 64 bits any more"
        assert_close(after, np.ones(3, np.float32))
