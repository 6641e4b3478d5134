"""masked_mean(x, mask): the mean under a mask, with NaN outside the mask and for an empty mask.

The numbers have both signs, so a sum may cancel: the tolerance is relative to their mean size.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

ZERO = np.zeros((), np.float32)
NONFINITE, HUGE = np.float32([np.nan, np.inf, -np.inf]), np.float32([-3e38, 1e25, 3e38, -1e25])


def draw(rng, *shape):
    """Numbers of both signs and of any scale, and a mask that keeps some of them and drops some."""
    x = rng.normal(rng.normal(), 1, size=shape) * 10 ** rng.uniform(-9, 9)
    x, mask = np.asarray(x, np.float32), np.asarray(rng.random(shape) < 0.6)
    mask.flat[0], mask.flat[-1] = True, x.size == 1
    x.flat[0] = -abs(x.flat[0])
    return x, mask


def spoil(x, mask, garbage=NONFINITE):
    """`x` with NaN and infinities, or with huge numbers, wherever the mask is false."""
    return np.where(mask, x, np.resize(garbage, x.shape))


def check(result, x, mask):
    kept = x[mask].astype(np.float64)
    assert_close(result, np.asarray(kept.mean()), atol=4e-6 * np.abs(kept).mean())


@pytest.mark.hint("Divide by the number of elements that count, and average over all axes at once.")
def test_the_mean_is_over_what_the_mask_keeps(submission, rng):
    """The result is the mean of the kept elements, for vectors, matrices and a single number."""
    for shape in [(7,), (4, 3), ()]:
        x, mask = draw(rng, *shape)
        check(submission.masked_mean(x, mask), x, mask)
        # A zero counts, too.
        x.flat[-1], everything = 0, np.ones(shape, bool)
        check(submission.masked_mean(x, everything), x, everything)


@pytest.mark.hint(
    "Does the result have the dtype of x? Do you change a NaN that counts, or the count?"
)
def test_the_result_is_one_of_the_numbers(submission, rng):
    """The mean of equal numbers, or of one, is this number, and one NaN makes it NaN."""
    mask = np.array([True, False, True, True, True, True, True])
    for number in (np.nan, np.inf, -np.inf, -(2.0**-100), 2.0**100):
        x = np.float32([number, 1, *[number] * 5])
        if not np.isfinite(number):
            x[3:] = 1
        assert_close(submission.masked_mean(x, mask), np.asarray(number), nonfinite=True)
    # Many small numbers: each is next to nothing beside the sum, and so is a share of each. Their
    # number is beyond int16.
    for dtype in (np.float16, jnp.bfloat16):
        x, mask = np.resize(np.array([-1e-4, -3e-4], dtype), 33_000), np.arange(33_000) > 3
        assert_close(submission.masked_mean(x, mask), np.array(-2e-4, dtype))
    # One small number of many: a share of it is nothing at all. No step rounds it.
    for dtype, number in ((np.float16, 1e-4), (jnp.bfloat16, 1e-36), (np.float32, 1e-36)):
        x, mask = np.full(33_000, number, dtype), np.arange(33_000) == rng.integers(33_000)
        assert_close(submission.masked_mean(x, mask), x[0], rtol=0)


@pytest.mark.hint("NaN times zero is NaN. Replace an element instead of multiplying it.")
def test_garbage_outside_the_mask_is_ignored(submission, rng):
    """NaN, infinities and huge numbers where the mask is false don't reach the result."""
    for shape in [(7,), (4, 3)]:
        drawn = draw(rng, *shape)
        # At first the last element is left out, and then the first one.
        for x, mask in (drawn, [np.roll(array, 1) for array in drawn]):
            for garbage in (NONFINITE, HUGE):
                check(submission.masked_mean(spoil(x, mask, garbage), mask), x, mask)


def of_many_and_of_one(masked_mean, many, one):
    return [masked_mean(*many), masked_mean(*one)]


@pytest.mark.points(4)
@pytest.mark.hint("While tracing, x[mask] has no known shape, and an `if` has no value to test.")
def test_it_survives_jit(submission, rng):
    """Under `jit` one program serves every mask, full or empty, of an array or of one number."""
    jitted = submission.masked_mean.used_by(of_many_and_of_one).jit()
    for _ in range(3):
        many, one = draw(rng, 100, 5, 2), draw(rng, 1)
        found = jitted(many, one)
        check(found[0], *many)
        check(found[1], *one)
    empty = [(x, np.zeros_like(mask)) for x, mask in (many, one)]
    # Exactly 0, since one number may be tiny.
    assert_close(jitted(*empty), [ZERO, ZERO], rtol=0, atol=0)


def loss(masked_mean, x, mask):
    """A loss of which the mean is a part, so its derivative isn't 1."""
    return -3 * masked_mean(x, mask)


@pytest.mark.hint("Do you use an operation that isn't part of jnp, or that has no derivative?")
def test_the_gradient_is_the_weight_of_each_element(submission, rng):
    """In a loss each kept element has its share of the gradient, and the others 0, even if NaN."""
    x, mask = draw(rng, 70, 3)
    x[0, :2], mask[0, :2] = (0, -1), True
    gradient = submission.masked_mean.used_by(loss).grad()
    assert_close(gradient(spoil(x, mask), mask), -3 * mask / mask.sum())
    # Numbers whose sum is 0 count like all others.
    x[:], mask[1:3], mask[3] = 0, True, False
    assert_close(gradient(spoil(x, mask), mask), -3 * mask / mask.sum())
    x[1], x[2] = [1, -4, 8], [-8, 4, -1]
    assert_close(gradient(spoil(x, mask), mask), -3 * mask / mask.sum())


@pytest.mark.hint("What is the count when nothing counts?")
def test_an_empty_mask_gives_zero(submission, rng):
    """Where nothing counts the value is 0, whatever is in the array, also if it is one number."""
    for shape in [(), (4, 3)]:
        x, _ = draw(rng, *shape)
        nothing = np.zeros(x.shape, bool)
        check(submission.masked_mean(x, ~nothing), x, ~nothing)
        # Exactly 0, since one number may be tiny.
        assert_close(submission.masked_mean(x, nothing), ZERO, rtol=0, atol=0)
    assert_close(submission.masked_mean(spoil(x, nothing), nothing), ZERO)
    nothing = np.zeros(33_000, bool)
    half = spoil(np.ones(33_000), nothing).astype(np.float16)
    assert_close(submission.masked_mean(half, nothing), ZERO.astype(np.float16))


@pytest.mark.hint("Choosing 0 after a division by zero leaves that division in the gradient.")
def test_an_empty_mask_has_gradient_zero(submission, rng):
    """Where nothing counts the gradient is 0, not NaN."""
    x, _ = draw(rng, 4, 3)
    nothing = np.zeros(x.shape, bool)
    # Live, operation by operation: compiled as one program, NaN times a mask can turn into 0.
    gradient = submission.masked_mean.grad().reported()
    assert (gradient(x, ~nothing) > 0).all()
    assert_close(gradient(x, nothing), np.zeros_like(x))
