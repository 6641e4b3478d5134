"""linear_recurrence(a, b): a recurrence in about log T rounds, without a loop."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

T = 2400


def draw(rng, length, columns=2):
    """Slopes and numbers of both signs, none of them near 0."""
    a = rng.uniform(0.3, 1, (length, columns)) * rng.choice([-1, 1], (length, columns))
    b = rng.uniform(0.5, 2, (length, columns)) * rng.choice([-1, 1], (length, columns))
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


def gradient(f, a, b, weights):
    return jax.grad(lambda ab: jnp.sum(weights * f(*ab)))((a, b))


def slopes(a, b, weights):
    """The gradient of the sum of all values, with weights: the recurrence backwards."""
    zeros = np.zeros_like(a[:1])
    in_b = recur(np.concatenate([zeros, a[:0:-1]]), weights[::-1])[::-1]
    return [in_b * np.concatenate([zeros, recur(a, b)[:-1]]), in_b]


def takes_few_rounds(program, most):
    assert "stablehlo.while" not in program.operations, "the program contains a loop"
    # Steps that are written out wait for one another, and so do blocks of steps.
    assert program.depth < most
    # A table of T x T numbers is far larger.
    assert program.elements < T * T / 2


@pytest.mark.hint("Which slope belongs to which step? Compose three maps on paper.")
def test_values_follow_the_recurrence(submission, rng):
    """Each value is the previous one times its slope, plus its number."""
    for length in (3, 2, 5, 12, 1):
        a, b = draw(rng, length, 1)
        check(submission.linear_recurrence(a, b), a, b)


@pytest.mark.hint("Do you divide by a product of slopes? It may be 0.")
def test_slopes_may_be_zero(submission, rng):
    """Where a slope is 0, the series starts again."""
    a, b = draw(rng, 30, 1)
    a[[7, 20]] = 0
    check(submission.linear_recurrence(a, b), a, b)


@pytest.mark.hint("The maps of one column are independent of those of another.")
def test_each_column_is_a_series(submission, rng):
    """Each column has its own slopes and numbers, with one column or many."""
    for length, columns in ((6, 3), (1, 4), (3, 40)):
        a, b = draw(rng, length, columns)
        check(submission.linear_recurrence(a, b), a, b)


@pytest.mark.hint("The numbers have no value while tracing. And do you specify the time axis?")
def test_it_works_under_jit_and_vmap(submission, rng):
    """Under `jit` and `vmap`, every number is known only at run time."""
    pairs = [draw(rng, 9) for _ in range(3)]
    a, b = (np.stack(arrays) for arrays in zip(*pairs, strict=True))
    expected = np.stack([recur(*pair) for pair in pairs])
    assert_close(submission.linear_recurrence.vmap().jit()(a, b), expected, atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("At a slope of 0, the derivative is still y[t-1]. Does a `where` remove it?")
def test_the_gradient_is_right_and_takes_few_rounds(submission, rng):
    """The gradient in slopes and numbers is right, and its program has no loop."""
    a, b = draw(rng, T)
    a[4, 0] = b[2, 1] = 0
    weights = rng.uniform(1, 2, b.shape).astype(np.float32)
    program = submission.linear_recurrence.used_by(gradient).program(a, b, weights)
    with case("in a long series", hint="Reverse mode makes a loop of a loop. Is there one?"):
        takes_few_rounds(program, T / 10)
    for found, expected in zip(program(a, b, weights), slopes(a, b, weights), strict=True):
        assert_close(found, expected, atol=1e-4 * np.abs(expected).max())


@pytest.mark.points(3)
@pytest.mark.hint("A scan takes one step at a time. Which scan composes pairs in parallel?")
def test_a_long_series_takes_few_rounds(submission, rng):
    """The program of a long series has no loop, few rounds, and makes no T x T table."""
    a, b = draw(rng, T)
    program = submission.linear_recurrence.program(a, b)
    takes_few_rounds(program, T / 16)
    check(program(a, b), a, b)


def test_details(submission, rng):
    """It works for integers, in half precision, and where b has NaN."""
    # All of these numbers are exact.
    a, b = rng.integers(-1, 2, (6, 3)), rng.integers(-20, 20, (6, 3))
    for dtype, name in ((np.int32, "for integers"), (jnp.bfloat16, "in half precision")):
        with case(name, hint="Do the maps keep the dtype of the slopes?"):
            found = submission.linear_recurrence(a.astype(dtype), b.astype(dtype))
            assert_close(found, recur(a, b).astype(dtype))
    with case("where b has NaN", hint="NaN goes along its own column, and never back in time."):
        a, b = draw(rng, 13, 3)
        b[6, 1] = np.nan
        found = submission.linear_recurrence(a, b)
        assert_close(found, recur(a, b), atol=1e-4, nonfinite=True)
