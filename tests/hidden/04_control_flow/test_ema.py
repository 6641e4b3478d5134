"""ema(x, alpha): a recurrence along a series, with gradients in both arguments.

`alpha` is never 0.5, since 0.5 would hide weights that are swapped.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

from .losses import part_of_a_loss


def draw(rng, length, scale=1.0):
    """A series of numbers of which the first is large, and a weight."""
    x = rng.uniform(1, 9, size=length)
    x[0] = rng.uniform(5, 9)
    x *= scale * rng.choice([-1, 1], size=length)
    low = rng.choice([0.1, 0.6])
    return x.astype(np.float32), np.float32(rng.uniform(low, low + 0.2))


def average(x, alpha):
    """The recurrence in float64."""
    y = [float(x[0])]
    for element in x[1:]:
        y.append(float(alpha) * y[-1] + (1 - float(alpha)) * float(element))
    return np.array(y)


def batches(ema, series, weights):
    """Each series with its own weight, then with one that has a value while JAX traces."""
    return jax.vmap(ema)(series, weights), jax.vmap(lambda x: ema(x, 0.3))(series)


@pytest.mark.hint("alpha is the weight of the past, and the new element gets the rest.")
def test_values_follow_the_recurrence(submission, rng):
    """Each value is alpha times the one before and 1 - alpha times the new element."""
    # A Python float is a constant of the program. It's the same in every run, so the program is in
    # the cache.
    for length, scale, alpha in ((3, 1e-9, 0.15), (7, 1, 0.3), (7, 1e9, 0.7)):
        x, _ = draw(rng, length, scale)
        assert_close(submission.ema(x, alpha), average(x, alpha))


@pytest.mark.hint("With alpha = 0 the past has no weight. Do you divide by alpha?")
def test_all_or_nothing_may_be_kept(submission, rng):
    """With alpha = 0 the result is the series; with alpha = 1 every value is the first element."""
    x, _ = draw(rng, 7, 1e-3)
    assert_close(submission.ema(x, 0.0), x)
    assert_close(submission.ema(x, 1.0), np.full_like(x, x[0]))
    # Almost nothing is kept, but the first element is alone.
    x[1:] = 0
    assert_close(submission.ema(x, 9e-6), average(x, 9e-6))


@pytest.mark.hint(
    "The state of a scan keeps the shape and the dtype that it starts with. What are they?"
)
def test_every_series_gives_as_many_floats(submission, rng):
    """One number, integers and half precision give float32 of the length of the series.

    The averages of integers aren't integers, also in the gradient.
    """
    x, _ = draw(rng, 1)
    half = x.astype(jnp.bfloat16)
    assert_close(submission.ema(half, 0.7), half.astype(np.float32))
    # Differences of such integers are beyond int32.
    signs = np.array([1, -1, 1, -1, -1, 1, -1])
    whole = signs * rng.integers(1_100_000_000, 2_100_000_000, size=7)
    x, _ = draw(rng, 7)
    for series in (whole.astype(np.int32), x.astype(jnp.bfloat16)):
        assert_close(submission.ema(series, 0.3), average(series, 0.3))
    whole, a, h = np.round(x).astype(np.int32), float(np.float32(0.3)), 1e-5
    slope = (average(whole, a + h) - average(whole, a - h)) / 2 / h
    found = submission.ema.used_by(part_of_a_loss).jacrev(argnums=1)(whole, np.float32(a))
    assert_close(found, -0.5 * slope, atol=1e-4)


@pytest.mark.hint("The weight has no value while tracing: don't pass it to NumPy or to `float`.")
def test_the_weight_is_known_at_run_time_only(submission, rng):
    """Under `jit` one program serves every weight, and under `vmap` each series has its own."""
    program = submission.ema.program(*draw(rng, 7))
    for scale in (1e-20, 1e20):
        x, alpha = draw(rng, 7, scale)
        assert_close(program(x, alpha), average(x, alpha))
    # What isn't known once is unknown for ever. A right answer may lose what came before, too.
    for t in (2, 0):
        x[t] = np.nan
        assert_close(program(x, alpha)[t:], np.full_like(x[t:], np.nan), nonfinite=True)
    series, weights = zip(*(draw(rng, 7) for _ in range(3)), strict=True)
    found = submission.ema.used_by(batches).jit()(np.stack(series), np.stack(weights))
    expected = np.stack([average(x, a) for x, a in zip(series, weights, strict=True)])
    assert_close(found, (expected, np.stack([average(x, 0.3) for x in series])))


@pytest.mark.hint(
    "The past affects every later value, so the gradient must reach it, in reverse mode."
)
def test_gradients_agree_with_finite_differences(submission, rng):
    """Every value has the right derivatives with respect to the series and to the weight."""
    x, alpha = draw(rng, 150)
    x[3] = 0
    h = 1e-5
    derivatives = submission.ema.used_by(part_of_a_loss).jacrev(argnums=(0, 1))
    # Weights and sums of a few of the numbers are of order ten at most. With alpha = 1 all numbers
    # are summed, so the sums are of order a thousand, and rounding errors add up.
    for a, atol in ((float(alpha), 1e-4), (0.0, 1e-4), (1.0, 5e-2)):
        slope = (average(x, a + h) - average(x, a - h)) / 2 / h
        slopes = np.stack(
            [(average(x + step, a) - average(x - step, a)) / 2 / h for step in h * np.eye(len(x))],
            axis=1,
        )
        found = derivatives(x, np.float32(a))
        assert_close(found, (-0.5 * slopes, -0.5 * slope), atol=atol)


@pytest.mark.points(2)
@pytest.mark.hint("A Python loop is unrolled while tracing. Which loop is traced only once?")
def test_the_program_does_not_grow(submission, rng):
    """A series eight times as long needs no bigger program."""
    sizes = []
    for length in (7, 56):
        x, _ = draw(rng, length)
        # The powers of such a weight underflow in the longer series.
        alpha = np.float32(rng.uniform(0.1, 0.2))
        program = submission.ema.program(x, alpha)
        assert_close(program(x, alpha), average(x, alpha))
        sizes.append(program.size)
    # A program of three times the size is allowed: a right answer may be a parallel prefix sum,
    # whose depth is log T.
    assert sizes[1] <= 3 * sizes[0]


@pytest.mark.points(3)
@pytest.mark.hint("How many numbers does your program hold for a series of a million?")
def test_a_long_series_needs_a_small_program(submission, rng):
    """A long series is averaged by a small program, without a table of T x T numbers."""
    x, alpha = draw(rng, 4201, 1e-3)
    program = submission.ema.program(x, alpha)
    # Room for buffers, for a Fourier transform, and for blocks of some dozens.
    assert program.largest_intermediate <= 100 * len(x)
    # A short series can be given a program that is as big as the one of a long series. But no
    # unrolled loop fits in here.
    assert program.size < 512
    # Powers of the first weight underflow. With the second one, old elements count for long. With
    # 1 for the weight, the first element counts as much as ever. An answer may add up all moves of
    # the series, and each sum is rounded by 1e-9 at most.
    for weight, atol in ((alpha, None), (np.float32(0.99), None), (np.float32(1), 1e-5)):
        assert_close(program(x, weight), average(x, weight), atol=atol)
