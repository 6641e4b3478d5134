"""piecewise(x): three formulas, one of which must never divide by zero."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng):
    """One number from each piece, none near a border."""
    return rng.uniform([-4, 0.1, 1.5], [-0.5, 0.9, 6]).astype(np.float32)


def draw_near(rng):
    """Numbers close to 0 and 1, on both sides of each."""
    low, high = [-0.5, -0.05, 0.001, 0.9, 1.01], [-0.1, -0.001, 0.05, 0.99, 1.1]
    return rng.uniform(low, high).astype(np.float32)


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


@pytest.mark.hint("Which formula holds for which piece, which for 0 and for 1? What does NaN give?")
def test_each_piece_has_its_formula(submission, rng):
    """The value is that of the piece that holds x, for Python floats and for arrays."""
    for x in [*draw(rng), *np.float32([0, 1, rng.uniform(1.2, 1.9), -3e4, 1e20, 3e38, np.nan])]:
        assert_close(submission.piecewise(x), value(x), nonfinite=True)
        assert_close(submission.piecewise(float(x)), value(x), nonfinite=True)
    # A formula that adds 1 and subtracts it again may round like this.
    for x in np.append(draw_near(rng), np.float32([3e-6, -3e-3])):
        assert_close(submission.piecewise(x), value(x), atol=2e-7, rtol=4e-6)


@pytest.mark.hint(
    "One formula keeps integers, and another divides them. Convert x to a float first."
)
def test_integers_are_numbers_too(submission, rng):
    """An integer in each piece gives float32, as a Python int or an array, 0 included."""
    # The square of the first one doesn't fit into 32 bits.
    for n in (-int(rng.integers(50_000, 60_000)), -3, 0, 1, int(rng.integers(2, 9))):
        assert_close(submission.piecewise(n), value(n))
        assert_close(submission.piecewise(np.int32(n)), value(n))
    # These have fewer bits than their squares.
    for n in (*np.int16([-200, 0, 5]), *np.int8([-100, 0, 5])):
        assert_close(submission.piecewise(n), value(n))


@pytest.mark.hint("Which dtype does each formula have when x is bfloat16?")
def test_a_float_keeps_its_dtype(submission, rng):
    """A bfloat16 gives a bfloat16 and a float16 gives a float16, in each piece."""
    for dtype in (jnp.bfloat16, np.float16):
        for x in draw(rng).astype(dtype):
            assert_close(submission.piecewise(x), value(x).astype(dtype))


@pytest.mark.hint(
    "Under jit and vmap, x has no value that an `if` could test. The program has to choose."
)
def test_it_survives_jit_and_vmap(submission, rng):
    """Under `jit` one program serves all pieces, for floats and integers; `vmap` mixes pieces."""
    xs = rng.permutation([*draw(rng), 0, 1]).astype(np.float32)
    jitted = submission.piecewise.used_by(alone_and_in_a_batch).jit()
    expected = np.stack([value(x) for x in xs])
    for x, n in zip(draw(rng), np.int32([-3, 0, 4]), strict=True):
        assert_close(jitted(x, n, xs), (value(x), value(n), expected))


@pytest.mark.hint(
    "The slopes are 2x, 1 and 1/x^2. Do you use a step that has no derivative, or half of it?"
)
def test_each_piece_has_its_gradient(submission, rng):
    """The gradient is the slope of the piece that holds x, 1 included, and in a batch."""
    xs = np.concatenate([draw(rng), draw_near(rng), np.float32([1])])
    gradients = submission.piecewise.used_by(both_gradients).jit()
    expected = np.stack([slope(x) for x in xs])
    for x in xs:
        assert_close(gradients(x, xs), (-0.5 * slope(x), expected))


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("Choosing after 1/x is too late: 0 times infinity is NaN. What do you divide by?")
def test_the_gradient_is_finite_at_zero(submission):
    """At 0 the gradient is finite, alone and in a batch."""
    gradients = submission.piecewise.used_by(both_gradients).jit()
    alone, batch = gradients(np.float32(0), np.float32([0, 3, 0, 3, 0, 3, 0, 3, 0]))
    assert 0 <= -2 * alone <= 1
    assert (batch[::2] >= 0).all() and (batch[::2] <= 1).all()
    assert_close(batch[1::2], np.full(4, 1 / 9))


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("1/x^2 is infinite for small x, too. Which numbers must never be a divisor?")
def test_the_gradient_is_finite_near_zero(submission):
    """Close to 0 the gradient is 1, alone and in a batch."""
    gradients = submission.piecewise.used_by(both_gradients).jit()
    tiny = np.float32(1e-30)
    assert_close(gradients(tiny, np.full(9, tiny)), (-0.5, np.ones(9)))
    # Live, that is operation by operation: compiled as one program, NaN times zero can become 0.
    gradient = submission.piecewise.grad()
    # In float16 1/x^2 is infinite below 0.0039.
    assert_close(gradient.reported()(np.float16(0.003)), 1.0)
    assert_close(gradient.vmap().reported()(np.float32([1e-30, 3])), np.array([1, 1 / 9]))
