"""linear_recurrence(a, b): a recurrence whose program is log T deep, without a loop.

For 1501 steps, right answers have chains of 22 to 105 operations, and wrong ones of 3003 or more.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, length, columns=2, scale=1.0, low=0.3):
    """Slopes of both signs and numbers of any scale."""
    a = rng.uniform(low, 1, (length, columns)) * rng.choice([-1, 1], (length, columns))
    b = scale * rng.uniform(0.5, 2, (length, columns)) * rng.choice([-1, 1], (length, columns))
    return a.astype(np.float32), b.astype(np.float32)


def recur(a, b):
    """The recurrence in float64."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    y = [b[0]]
    for slope, offset in zip(a[1:], b[1:], strict=True):
        y.append(slope * y[-1] + offset)
    return np.stack(y)


def check(found, a, b):
    # A long sum may be grouped in any way.
    expected = recur(a, b)
    assert_close(found, expected, atol=2e-5 * np.abs(expected).max())


@pytest.mark.hint("Which slope belongs to which step? Compose three maps by hand.")
def test_values_follow_the_recurrence(submission, rng):
    """Each value is the one before it times its slope, plus its number."""
    for length, scale in ((2, 1e9), (3, 1), (5, 1e-9), (12, 1)):
        a, b = draw(rng, length, 1, scale)
        check(submission.linear_recurrence(a, b), a, b)
        # All slopes may be 1: a sum.
        a = np.ones_like(a)
        check(submission.linear_recurrence(a, b), a, b)


@pytest.mark.hint("Do you divide by a product of slopes? It may be 0.")
def test_slopes_may_be_zero(submission, rng):
    """Where a slope is 0, the series starts anew, and tiny slopes are no trouble."""
    a, b = draw(rng, 60, 3)
    a[rng.random(a.shape) < 0.2] = 0
    a[7] = 0
    check(submission.linear_recurrence(a, b), a, b)
    # Nothing is left of what comes before a 0, however large it is.
    huge = b.copy()
    huge[:7] *= np.float32(1e36)
    check(submission.linear_recurrence(a, huge)[7:], a[7:], b[7:])
    # The product of these is below the smallest float.
    a = np.where(rng.random(a.shape) < 0.5, a * np.float32(1e-12), a)
    check(submission.linear_recurrence(a, b), a, b)


@pytest.mark.hint("The maps of one column have nothing to do with those of another.")
def test_each_column_is_a_series(submission, rng):
    """One step, one column and many; any dtype; a NaN spoils its own column from there on."""
    for length, columns in ((1, 1), (1, 4), (6, 1), (3, 300), (1100, 2)):
        a, b = draw(rng, length, columns)
        # Powers of two round nothing. The first column is huge and the last one is tiny.
        scale = np.exp2(np.linspace(100, -100, columns).round()).astype(np.float32)
        check(submission.linear_recurrence(a, scale * b) / scale, a, b)
    a, b = draw(rng, 13, 3)
    b[int(rng.integers(3, 11)), 1] = np.nan
    a[11, 1] = 0
    expected = recur(a, b)
    assert_close(submission.linear_recurrence(a, b), expected, atol=1e-4, nonfinite=True)
    # All of these are exact.
    a, b = rng.integers(-1, 2, (6, 3)), rng.integers(-20, 20, (6, 3))
    for dtype in (jnp.bfloat16, np.float16):
        found = submission.linear_recurrence(a.astype(dtype), b.astype(dtype))
        assert_close(found, recur(a, b).astype(dtype))
    a, b = a.astype(np.int32), 100_000_001 * rng.integers(-3, 4, (6, 3), dtype=np.int32)
    assert_close(submission.linear_recurrence(a, b), recur(a, b).astype(np.int32))


@pytest.mark.hint("The numbers have no value while tracing. And do you name the axis of time?")
def test_it_works_under_jit_and_vmap(submission, rng):
    """Under `jit` and `vmap` every number is known at run time only."""
    pairs = [draw(rng, 9, 2, scale) for scale in (1, 2, 3)]
    stacked = [np.stack(arrays) for arrays in zip(*pairs, strict=True)]
    expected = np.stack([recur(a, b) for a, b in pairs])
    assert_close(submission.linear_recurrence.vmap().jit()(*stacked), expected, atol=1e-4)


@pytest.mark.hint("At a slope of 0, the derivative is still y[t-1]. Does a `where` cut it off?")
def test_gradients_agree_with_finite_differences(submission, rng):
    """The sum of all values, with weights, has the right gradient in slopes and numbers."""
    a, b = draw(rng, 7, 2)
    a[4, 0] = b[2, 1] = 0
    weights = rng.uniform(1, 2, b.shape)
    found = submission.linear_recurrence.used_by(weighted).grad(argnums=(0, 1))
    h = 1e-5
    expected = []
    for which in (0, 1):
        slopes = np.zeros(b.shape)
        for place in np.ndindex(b.shape):
            shift = np.zeros(b.shape)
            shift[place] = h
            up, down = (
                (a + sign * shift, b) if which == 0 else (a, b + sign * shift) for sign in (1, -1)
            )
            slopes[place] = np.sum(weights * (recur(*up) - recur(*down))) / 2 / h
        expected.append(slopes)
    tolerance = 1e-4 * max(np.abs(part).max() for part in expected)
    given = found(a, b, weights.astype(np.float32))
    assert_close(given, tuple(expected), atol=tolerance)


def weighted(f, a, b, weights):
    return jnp.sum(weights * f(a, b))


def assert_parallel(function, check_program):
    """Right programs without a loop, for two lengths, whose depth and size grow like log T."""
    sizes, lengths = [], (32, 1501)
    for length in lengths:
        blank = np.zeros((length, 2), np.float32)
        program = function.program(blank, blank)
        assert "stablehlo.while" not in program.operations, "the program holds a loop"
        # The gradient of an answer with three operations in each round has 10 for each of its own.
        assert program.depth <= 20 * np.log2(length)
        # A table of T x T numbers is 1501 times as large.
        assert program.largest_intermediate <= 16 * 2 * length
        sizes.append(program.size)
        check_program(program, length)
    # Eleven rounds in place of five. One operation for each step, or for each of a few, is more.
    assert sizes[1] <= 3 * sizes[0]


@pytest.mark.points(3)
@pytest.mark.hint("A scan takes one step after the other. Which scan composes pairs at once?")
def test_a_long_series_takes_few_rounds(submission, rng):
    """The program of a long series has no loop, is small, and makes no T x T table."""

    def check_program(program, length):
        # Old numbers count for long with the second kind of slopes.
        for low in (0.1, 0.999):
            a, b = draw(rng, length, 2, 1e-3, low)
            a = np.abs(a)
            check(program(a, b), a, b)

    assert_parallel(submission.linear_recurrence, check_program)


def slopes(f, a, b):
    return jax.grad(lambda ab: f(*ab)[-1].sum())((a, b))


@pytest.mark.points(2)
@pytest.mark.hint("Reverse mode makes a loop of a loop. Has your program one?")
def test_the_gradient_takes_few_rounds(submission, rng):
    """The gradient of the last value has no loop in its program, and is right."""

    def check_program(program, length):
        a, b = draw(rng, length, 2, 1, 0.9998)
        a = np.abs(a)
        # How much y[t] counts for the last value.
        factors = np.vstack([a[1:], np.ones((1, 2))]).astype(np.float64)
        later = np.cumprod(factors[::-1], axis=0)[::-1]
        in_a = later * np.vstack([np.zeros((1, 2)), recur(a, b)[:-1]])
        found = program(a, b)
        assert_close(found, [in_a, later], atol=1e-4 * np.abs(in_a).max())
        assert_close(found[1], later, atol=1e-4)

    assert_parallel(submission.linear_recurrence.used_by(slopes), check_program)
