"""round_ste(x): rounds forwards, and is the identity backwards.

No number is near a half: which neighbour such a one goes to is left open.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng, *shape):
    """Numbers whose fractions keep away from one half, in bfloat16, too: (x, rounded)."""
    # From 16 on, bfloat16 knows eighths: it makes a half of 0.45.
    whole = rng.integers(-15, 16, size=shape)
    return (whole + rng.uniform(-0.45, 0.45, size=shape)).astype(np.float32), whole


def weighted(round_ste, x, weights):
    """A loss whose gradient arrives at the step as `weights`."""
    return (weights * round_ste(x)).sum()


def squared(round_ste, x):
    """A loss that sees the rounded numbers."""
    return (round_ste(x) ** 2).sum()


def inner(round_ste, x):
    """A loss with something in front of the step."""
    return round_ste(jnp.sin(x) * 5).sum()


@pytest.mark.visible
@pytest.mark.hint("Try negative numbers as well, and fractions on both sides of a half.")
def test_numbers_are_rounded_to_the_nearest(submission, rng):
    """Each number becomes the nearest integer, whatever the shape."""
    for shape in [(), (1,), (6,), (4, 3), (3, 3)]:
        x, whole = draw(rng, *shape)
        assert_close(submission.round_ste(x), whole.astype(np.float32))
    assert_close(submission.round_ste(-3.7), np.asarray(-4.0))


@pytest.mark.points(2)
@pytest.mark.hint("The derivative of what you return has to be that of x. Which parts vary?")
def test_the_gradient_passes_straight_through(submission, rng):
    """The derivative is one for each element, and zero between elements."""
    x, _ = draw(rng)
    assert_close(submission.round_ste.grad()(x), np.asarray(1.0))
    x, _ = draw(rng, 8)
    assert_close(submission.round_ste.jacrev()(x), np.eye(8))


@pytest.mark.points(2)
@pytest.mark.hint("Pass on the gradient that arrives, not one of your own.")
def test_the_arriving_gradient_is_not_changed(submission, rng):
    """A gradient from above goes through as it is, and the chain rule holds on both sides."""
    x, whole = draw(rng, 6, 5)
    weights = rng.normal(size=x.shape).astype(np.float32)
    assert_close(submission.round_ste.used_by(weighted).grad()(x, weights), weights)
    assert_close(submission.round_ste.used_by(squared).grad()(x), 2.0 * whole, atol=1e-4)
    slope = submission.round_ste.used_by(inner).grad()(x)
    assert_close(slope, 5 * np.cos(x.astype(np.float64)), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Python's own round and int need one concrete number. Which function of jnp?")
def test_it_survives_vmap_and_jit(submission, rng):
    """Under `vmap` and `jit` value and gradient are those of each element."""
    x, whole = draw(rng, 6, 8)
    assert_close(submission.round_ste.vmap().jit()(x), whole.astype(np.float32))
    both = submission.round_ste.value_and_grad().vmap().vmap().jit()
    assert_close(both(x), (whole.astype(np.float32), np.ones_like(x)))


@pytest.mark.hint("Rounded numbers stay floats, of the precision that came in.")
def test_the_dtype_is_kept(submission, rng):
    """Small floats come back as what they were."""
    x, whole = draw(rng, 8)
    for dtype in (np.float16, jnp.bfloat16, np.float32):
        assert_close(submission.round_ste(x.astype(dtype)), whole.astype(dtype))
