"""masked_mean(x, mask): the mean under a mask, with NaN outside the mask and for an empty mask.

The numbers have both signs, so a sum may cancel: the tolerance is relative to their mean size.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, *shape):
    """Numbers, and a mask that drops the last one and keeps the first row and a number below 0."""
    x, mask = np.asarray(rng.normal(size=shape), np.float32), rng.random(shape) < 0.6
    x.flat[1] = -rng.uniform(1, 2)
    mask[0], mask.flat[1], mask.flat[-1] = True, True, False
    return x, mask


def spoil(x, mask):
    """`x` with NaN and infinities wherever the mask is false."""
    return np.where(mask, x, np.resize(np.float32([np.nan, np.inf, -np.inf]), x.shape))


def check(result, x, mask):
    kept = x[mask].astype(np.float64)
    assert_close(result, np.asarray(kept.mean()), atol=4e-6 * np.abs(kept).mean())


@pytest.mark.hint("Divide by the number of elements that count, and average over all axes.")
def test_the_mean_is_over_what_the_mask_keeps(submission, rng):
    """The result is the mean of the kept elements, for vectors and matrices."""
    for shape in ((7,), (4, 3)):
        x, mask = draw(rng, *shape)
        x.flat[0] = 0  # which counts, too
        check(submission.masked_mean(x, mask), x, mask)


@pytest.mark.hint("NaN times zero is NaN. Replace an element instead of multiplying it.")
def test_garbage_outside_the_mask_is_ignored(submission, rng):
    """NaN and infinities where the mask is false don't reach the result."""
    for shape in ((7,), (4, 3)):
        x, mask = draw(rng, *shape)
        check(submission.masked_mean(spoil(x, mask), mask), x, mask)


@pytest.mark.points(2)
@pytest.mark.hint("What is the count when nothing counts?")
def test_an_empty_mask_gives_zero(submission, rng):
    """Where nothing counts, the value is 0, whatever is in the array."""
    for shape in ((7,), (4, 3)):
        x, mask = draw(rng, *shape)
        for given in (x, spoil(x, mask)):
            assert_close(submission.masked_mean(given, mask & False), np.float32(0))
        check(submission.masked_mean(x, mask), x, mask)


@pytest.mark.points(3)
@pytest.mark.hint("While tracing, x[mask] has no known shape, and an `if` has no value to test.")
def test_it_survives_jit(submission, rng):
    """Under `jit`, one program serves every mask, full or empty."""
    jitted = submission.masked_mean.jit()
    for _ in range(3):
        x, mask = draw(rng, 10, 5, 2)
        check(jitted(x, mask), x, mask)
    check(jitted(x, mask | True), x, mask | True)
    with case("where nothing counts", hint="What is the count when nothing counts?"):
        assert_close(jitted(x, mask & False), np.float32(0))


def loss(masked_mean, x, mask):
    """A loss of which the mean is a part, so its derivative isn't 1."""
    return -3 * masked_mean(x, mask)


@pytest.mark.points(2)
@pytest.mark.hint("Each element that counts has the same share of the mean. The others have none.")
def test_it_has_a_gradient(submission, rng):
    """In a loss, each element gets its share of the gradient, and 0 if it doesn't count."""
    gradient = submission.masked_mean.used_by(loss).grad()
    x, mask = draw(rng, 7, 3)
    with case("for finite numbers"):
        assert_close(gradient(x, mask), -3 * mask / mask.sum())
    with case("where x has NaN that doesn't count", hint="Which operation still reads the NaN?"):
        assert_close(gradient(spoil(x, mask), mask), -3 * mask / mask.sum())
    hint = "Choosing 0 after a division by zero leaves that division in the gradient."
    with case("where nothing counts", hint=hint):
        # Live, operation by operation: compiled as one program, NaN times a mask can turn into 0.
        found = submission.masked_mean.grad().reported()(x, mask & False)
        assert_close(found, np.zeros_like(x))


def test_details(submission, rng):
    """It works for a single number, in half precision, and where x has NaN that counts."""
    x, mask = draw(rng, 7)
    with case("for a single number", hint="Such an array has no axis, and no length."):
        check(submission.masked_mean(x[0], mask[0]), x[0], mask[0])
        assert_close(submission.masked_mean(x[0], ~mask[0]), np.float32(0))
    for dtype in (np.float16, jnp.bfloat16):
        half = rng.uniform(1, 2, size=7).astype(dtype)
        with case("in half precision", hint="What is the dtype of the count?"):
            expected = half[mask].astype(np.float32).mean().astype(dtype)
            assert_close(submission.masked_mean(half, mask), expected)
        with case("in half precision, where nothing counts", hint="Which numbers are 0 there?"):
            assert_close(submission.masked_mean(half, mask & False), np.zeros((), dtype))
    x[0] = np.nan
    with case("where x has NaN that counts", hint="Such a NaN must not be replaced."):
        assert_close(submission.masked_mean(x, mask), np.float32(np.nan), nonfinite=True)
