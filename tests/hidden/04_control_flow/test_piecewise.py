"""piecewise(x): three formulas, one of which must never divide by zero."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng):
    """One number from each piece, none near a border."""
    return rng.uniform([-4, 0.1, 1.5], [-0.5, 0.9, 6]).astype(np.float32)


def value(x):
    x = float(x)
    return np.asarray(x**2 if x < 0 else x if x < 1 else 2 - 1 / x)


def slope(x):
    x = float(x)
    return np.asarray(2 * x if x < 0 else 1.0 if x < 1 else 1 / x**2)


@pytest.mark.visible
@pytest.mark.hint("Which formula belongs to which piece, and to which do 0 and 1 belong?")
def test_each_piece_has_its_formula(submission, rng):
    """The value is that of the piece that holds x, for Python floats and for arrays."""
    for x in [*draw(rng), *np.float32([0, 1, rng.uniform(1.2, 1.9), -3e4, 3e4])]:
        assert_close(submission.piecewise(x), value(x))
        assert_close(submission.piecewise(float(x)), value(x))
    # A formula that adds 1 and subtracts it again may round like this.
    assert_close(submission.piecewise(np.float32(3e-6)), value(3e-6), atol=2e-7)


@pytest.mark.points(2)
@pytest.mark.hint(
    "One formula keeps integers, and another divides them. Convert x to a float first."
)
def test_integers_are_numbers_too(submission, rng):
    """An integer in each piece gives float32, as a Python int or an array, 0 included."""
    for n in (-int(rng.integers(2, 9)), 0, 1, int(rng.integers(2, 9))):
        assert_close(submission.piecewise(n), value(n))
        assert_close(submission.piecewise(np.int32(n)), value(n))


@pytest.mark.hint("Which dtype does each formula have when x is bfloat16?")
def test_a_float_keeps_its_dtype(submission, rng):
    """A bfloat16 gives a bfloat16, in each piece."""
    for x in draw(rng).astype(jnp.bfloat16):
        assert_close(submission.piecewise(x), value(x).astype(jnp.bfloat16))


@pytest.mark.points(2)
@pytest.mark.hint(
    "Under jit, x has no value that an `if` could test. The choice has to be in the program."
)
def test_it_survives_jit(submission, rng):
    """Under `jit` one program serves all pieces, for floats and also for integers."""
    jitted = submission.piecewise.jit()
    for numbers in (draw(rng), np.int32([-3, 0, 4])):
        program = jitted.program(numbers[0])
        for x in numbers:
            assert_close(program(x), value(x))


@pytest.mark.hint("In a batch, each element may be in another piece.")
def test_a_batch_can_be_computed(submission, rng):
    """Under `vmap` each number of a batch gets the formula of its own piece."""
    xs = rng.permutation([*draw(rng), 0, 1]).astype(np.float32)
    assert_close(submission.piecewise.vmap()(xs), np.stack([value(x) for x in xs]))


@pytest.mark.hint("The slopes are 2x, 1 and 1/x^2. Do you use a step that has no derivative?")
def test_each_piece_has_its_gradient(submission, rng):
    """The gradient is the slope of the piece that holds x, for one number and for a batch."""
    xs = draw(rng)
    gradient = submission.piecewise.grad()
    program = gradient.program(xs[0])
    for x in xs:
        assert_close(program(x), slope(x))
    assert_close(gradient.vmap()(xs), np.stack([slope(x) for x in xs]))


@pytest.mark.points(2)
@pytest.mark.hint("Choosing after 1/x is too late: 0 times infinity is NaN. What do you divide by?")
def test_the_gradient_is_finite_at_zero(submission):
    """At 0 and close to it the gradient is finite, alone and in a batch."""
    # Live, that is operation by operation: compiled as one program, NaN times zero can become 0.
    gradient = submission.piecewise.grad()
    assert 0 <= gradient.reported()(np.float32(0)) <= 1
    for tiny in (1e-4, 1e-30):
        assert_close(gradient.reported()(np.float32(tiny)), slope(tiny))
    assert_close(gradient.vmap().reported()(np.float32([1e-30, 3])), np.array([1, 1 / 9]))
