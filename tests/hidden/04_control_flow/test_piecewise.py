"""piecewise(x): three formulas, one of which must never divide by zero."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng):
    """Numbers from each piece."""
    return rng.uniform([-4, -0.4, 0.1, 1.1], [-0.5, -0.1, 0.9, 6]).astype(np.float32)


def value(x):
    x = float(x)
    return np.asarray(x**2 if x < 0 else x if x < 1 else 2 - 1 / x)


def slope(x):
    x = float(x)
    return np.asarray(2 * x if x < 0 else 1.0 if x < 1 else 1 / x**2)


def alone_and_in_a_batch(f, x, n, xs):
    return f(x), f(n), jax.vmap(f)(xs)


def both_gradients(f, x, xs):
    """The gradient of a loss in x, and each gradient of a batch."""
    return jax.grad(lambda x: -0.5 * f(x))(x), jax.vmap(jax.grad(f))(xs)


@pytest.mark.hint("Which formula applies to which piece, to 0 and to 1?")
def test_each_piece_has_its_formula(submission, rng):
    """The value is that of the piece that contains x, for Python floats and for arrays."""
    for x in [*draw(rng), *np.float32([0, 1])]:
        assert_close(submission.piecewise(x), value(x))
        assert_close(submission.piecewise(float(x)), value(x))


@pytest.mark.hint(
    "One formula keeps integers, and another divides them. Convert x to a float first."
)
def test_integers_are_numbers_too(submission, rng):
    """An integer in each piece gives float32, as a Python int or an array, including 0."""
    for n in (-int(rng.integers(2, 1000)), 0, 1, int(rng.integers(2, 1000))):
        assert_close(submission.piecewise(n), value(n))
        assert_close(submission.piecewise(np.int32(n)), value(n))


@pytest.mark.hint(
    "Under jit and vmap, x has no value that an `if` could test. The program has to choose."
)
def test_it_survives_jit_and_vmap(submission, rng):
    """Under `jit`, one program serves all pieces, for floats and integers; `vmap` mixes pieces."""
    xs = rng.permutation([*draw(rng), 0, 1]).astype(np.float32)
    jitted = submission.piecewise.used_by(alone_and_in_a_batch).jit()
    expected = np.stack([value(x) for x in xs])
    for x, n in zip(draw(rng), np.int32([-3, 0, 1, 4]), strict=True):
        assert_close(jitted(x, n, xs), (value(x), value(n), expected))


@pytest.mark.hint("The slopes are 2x, 1 and 1/x^2. Does a step have no derivative, or half of it?")
def test_each_piece_has_its_gradient(submission, rng):
    """The gradient is the slope of the piece that contains x, including 1, and in a batch."""
    xs = np.append(draw(rng), np.float32(1))
    gradients = submission.piecewise.used_by(both_gradients).jit()
    expected = np.stack([slope(x) for x in xs])
    for x in xs:
        assert_close(gradients(x, xs), (-0.5 * slope(x), expected))


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("Choosing after 1/x is too late: 0 times infinity is NaN. What do you divide by?")
def test_the_gradient_is_finite_at_zero(submission):
    """At 0, the gradient is finite, alone and in a batch."""
    gradients = submission.piecewise.used_by(both_gradients).jit()
    alone, batch = gradients(np.float32(0), np.float32([0, 3]))
    assert 0 <= -2 * alone <= 1
    assert 0 <= batch[0] <= 1
    assert_close(batch[1], 1 / 9)


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("1/x^2 is also infinite for small x. Which numbers must never be a divisor?")
def test_the_gradient_is_finite_near_zero(submission):
    """Close to 0, the gradient is 1, alone and in a batch."""
    gradients = submission.piecewise.used_by(both_gradients).jit()
    tiny = np.float32(1e-30)
    assert_close(gradients(tiny, np.full(9, tiny)), (-0.5, np.ones(9)))
    # Operation by operation: compiled as one program, NaN times zero can become 0.
    gradient = submission.piecewise.grad().vmap()
    assert_close(gradient.reported()(np.float32([1e-30, 3])), np.array([1, 1 / 9]))


@pytest.mark.hint("What dtype does x have in each formula?")
def test_details(submission, rng):
    """Half precision, big integers and NaN have their values."""
    for dtype in (jnp.bfloat16, np.float16):
        with case(f"for a {np.dtype(dtype)}", hint="What dtype does each formula give then?"):
            for x in draw(rng).astype(dtype):
                assert_close(submission.piecewise(x), value(x).astype(dtype))
    with case("for a big integer", hint="Is x already a float where you take its square?"):
        n = -int(rng.integers(50_000, 60_000))
        assert_close(submission.piecewise(np.int32(n)), value(n))
    with case("for an int8", hint="Is x already a float where you take its square?"):
        assert_close(submission.piecewise(np.int8(-100)), value(-100))
    with case("where x is NaN", hint="Every comparison with NaN is false. What do you return?"):
        nan = np.float32(np.nan)
        assert_close(submission.piecewise(nan), nan, nonfinite=True)
