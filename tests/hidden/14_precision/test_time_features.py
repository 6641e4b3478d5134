"""time_features(seconds, period): against NumPy in float64, for times of any size."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

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
    for shape in [(2, 3), (2,), (1,), (0,)]:
        seconds = rng.integers(100, 999, size=shape).astype(np.int32)
        check(submission.time_features.jit()(seconds, np.float32(77.7)), seconds, np.float32(77.7))


@pytest.mark.points(3)
@pytest.mark.hint("Which step of yours is the first one in float64? And is it really float64?")
def test_times_of_today(submission, rng):
    """For times of today, in one compiled program, the angles are right for many periods."""
    seconds = draw_seconds(rng, 1100)
    program = submission.time_features.program(seconds, np.float32(1))
    for period in (np.float32(1 + rng.uniform(0.1, 0.9)), *(draw_period(rng) for _ in range(3))):
        check(program(seconds, period), seconds, period)
    for period in np.float32([1, 1e9]):
        check(program(seconds, period), seconds, period)


@pytest.mark.hint("Does a step in integers run over? Does a step need times above zero?")
def test_all_of_int32(submission, rng):
    """The largest and the smallest integers are right, too, and integers beyond float32."""
    ends = [-(2**31), 2**31 - 1, -NOW - 1, 2**24 + 1, 0, -1]
    seconds = np.resize(np.int32(ends), 1100)
    period = draw_period(rng, 1, 3)
    check(submission.time_features.jit()(seconds, period), seconds, period)


def live(features, seconds, period):
    """Features in plain calls, and where one argument is known while the other is traced."""
    plain = features(seconds, period), features(seconds, 2 * period)
    known = (
        jax.jit(lambda period: features(seconds, period))(2 * period),
        jax.jit(lambda seconds: features(seconds, period))(seconds),
    )
    return *plain, *known, jnp.ones(2)


@pytest.mark.hint("Is the `with` statement closed, and is nothing set for the whole process?")
def test_a_plain_call(submission, rng):
    """A call outside of `jit`, with a single time, is right; new arrays are float32 after it."""
    seconds, period = draw_seconds(rng), draw_period(rng)
    *found, ones = submission.time_features.used_by(live).reported()(seconds, period)
    for features, times in zip(found, (1, 2, 2, 1), strict=True):
        check(features, seconds, times * period)
    assert ones.dtype == np.float32


def around(features, seconds, period):
    """Features, and what is made without a dtype before and after."""
    before = jnp.linspace(0, 1, 3) + jnp.arange(3)
    found = features(seconds, period)
    return before, found, jnp.linspace(0, 1, 3), jnp.arange(3)


def inside(features, seconds, period):
    """For a caller that has 64 bits, in a block or everywhere: features, and what is made then."""
    with jax.enable_x64(True):
        found = features(seconds, period)
        wide = jnp.ones(3)
    after = jnp.ones(3)
    jax.config.update("jax_enable_x64", True)
    try:
        others = features(seconds, period)
        also_wide = jnp.ones(3)
    finally:
        jax.config.update("jax_enable_x64", False)
    return found, others, wide.dtype.itemsize, also_wide.dtype.itemsize, after


@pytest.mark.points(2)
@pytest.mark.hint("Ask for 64 bits in a `with` statement, not for the whole process.")
def test_the_rest_of_the_program_has_32_bits(submission, rng):
    """What the program makes before and after has 32 bits, in the same trace."""
    seconds, period = draw_seconds(rng, 4), draw_period(rng)
    found = submission.time_features.used_by(around).jit()(seconds, period)
    before, features, floats, integers = found
    check(features, seconds, period)
    assert_close(before, np.float32([0, 1.5, 3]))
    assert_close(floats, np.float32([0, 0.5, 1]))
    assert_close(integers, np.int32([0, 1, 2]))


@pytest.mark.hint("Was the default 64 bits before you changed it? Then it must be so again.")
def test_a_caller_keeps_its_64_bits(submission, rng):
    """What a caller that has 64 bits makes afterwards has 64 bits."""
    seconds, period = draw_seconds(rng, 4), draw_period(rng)
    found = submission.time_features.used_by(inside).jit().reported()(seconds, period)
    *_, size, other_size, after = found
    assert size == other_size == 8
    assert_close(after, np.ones(3, np.float32))


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
