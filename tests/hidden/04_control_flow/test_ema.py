"""ema(x, alpha): a recurrence along a series, with gradients in both arguments.

`alpha` is never 0.5, since 0.5 would hide weights that are swapped.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

from .losses import part_of_a_loss


def draw(rng, length, low=None):
    """A series of numbers of which the first is large, and a weight."""
    x = rng.uniform(1, 9, size=length)
    x[0] = rng.uniform(5, 9)
    x *= rng.choice([-1, 1], size=length)
    low = rng.choice([0.1, 0.6]) if low is None else low
    return x.astype(np.float32), np.float32(rng.uniform(low, low + 0.2))


def average(x, alpha):
    """The recurrence in float64."""
    y = [float(x[0])]
    for element in x[1:]:
        y.append(float(alpha) * y[-1] + (1 - float(alpha)) * float(element))
    return np.array(y)


@pytest.mark.hint("alpha is the weight of the past, and the new element gets the rest.")
def test_values_follow_the_recurrence(submission, rng):
    """Each value is alpha times the previous one and 1 - alpha times the new element."""
    for length, alpha in ((3, 0.15), (7, 0.3), (12, 0.7)):
        x, _ = draw(rng, length)
        assert_close(submission.ema(x, alpha), average(x, alpha))


@pytest.mark.hint("A scan's state keeps its initial dtype. Which one is it?")
def test_integers_have_averages_too(submission, rng):
    """The averages of integers are floats."""
    x = rng.integers(-100, 100, size=7, dtype=np.int32)
    assert_close(submission.ema(x, 0.3), average(x, 0.3))


@pytest.mark.hint("The weight has no value while tracing: don't pass it to NumPy or to `float`.")
def test_the_weight_is_known_at_run_time_only(submission, rng):
    """Under `jit`, one program serves every weight, and under `vmap` each series has its own."""
    program = submission.ema.program(*draw(rng, 7))
    x, alpha = draw(rng, 7)
    assert_close(program(x, alpha), average(x, alpha))
    series, weights = map(np.stack, zip(*(draw(rng, 7) for _ in range(3)), strict=True))
    expected = np.stack([average(x, a) for x, a in zip(series, weights, strict=True)])
    assert_close(submission.ema.vmap().jit()(series, weights), expected)


@pytest.mark.hint(
    "The past affects every later value, so the gradient must reach it, in reverse mode."
)
def test_gradients_agree_with_finite_differences(submission, rng):
    """Every value has the right derivatives with respect to the series and to the weight."""
    x, alpha = draw(rng, 60, 0.1)
    a, h = float(alpha), 1e-5
    slope = (average(x, a + h) - average(x, a - h)) / 2 / h
    slopes = [(average(x + step, a) - average(x - step, a)) / 2 / h for step in h * np.eye(len(x))]
    found = submission.ema.used_by(part_of_a_loss).jacrev(argnums=(0, 1))(x, alpha)
    assert_close(found, (-0.5 * np.stack(slopes, axis=1), -0.5 * slope), atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop is unrolled while tracing. Which loop is traced only once?")
def test_the_program_does_not_grow(submission, rng):
    """The program for 250 numbers is small."""
    program = submission.ema.program(*draw(rng, 250))
    # A step that is written out takes two at least: a product and a sum.
    assert program.size < 2 * 250
    x, alpha = draw(rng, 250, 0.6)
    assert_close(program(x, alpha), average(x, alpha))


@pytest.mark.points(2)
@pytest.mark.hint("How many numbers does your program store for a series of a million?")
def test_a_long_series_needs_a_small_program(submission, rng):
    """A series of a thousand is averaged by a small program, without a table of T x T numbers."""
    x, alpha = draw(rng, 1000)
    program = submission.ema.program(x, alpha)
    assert program.size < 512
    # Room for buffers and for a Fourier transform.
    assert program.elements <= 100 * len(x)
    for weight in (alpha, np.float32(0.99)):
        assert_close(program(x, weight), average(x, weight))


def test_details(submission, rng):
    """It works for alpha 0 and 1, a series of one, half precision and NaN."""
    x, _ = draw(rng, 7)
    with case("with alpha = 0", hint="The past has no weight. Do you divide by alpha?"):
        assert_close(submission.ema(x, 0.0), x)
    with case("with alpha = 1", hint="The new element has no weight: what is each average?"):
        assert_close(submission.ema(x, 1.0), np.full_like(x, x[0]))
    with case(
        "for a series of one", hint="Its average is the element, as an array of one float32."
    ):
        assert_close(submission.ema(x[:1], 0.3), x[:1])
    with case("in half precision", hint="In which dtype is the state of your loop?"):
        half = x.astype(jnp.bfloat16)
        assert_close(submission.ema(half, 0.3), average(half, 0.3))
    with case("where x has NaN", hint="Once a value is unknown, so are all later averages."):
        x[3] = np.nan
        # A right answer may lose what came before, too.
        found = submission.ema(x, 0.3)[3:]
        assert_close(found, np.full(4, np.nan, np.float32), nonfinite=True)
