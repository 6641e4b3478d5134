"""round_ste(x): rounds in the forward pass, and is the identity in the backward pass.

No number that is drawn is near a half. A half may be rounded up or down.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, *shape, most=1000):
    """(x, rounded): numbers whose fractions are not close to one half."""
    whole = rng.integers(-most, most + 1, size=shape)
    return (whole + rng.uniform(-0.4, 0.4, size=shape)).astype(np.float32), np.float32(whole)


def gradients(round_ste, x, weights):
    """The gradients of three losses.

    The gradient that arrives at the rounding step is `weights` for the first one, and is computed
    from the rounded numbers for the second. The last has another operation before that step.
    """
    return (
        jax.grad(lambda x: (weights * round_ste(x)).sum())(x),
        jax.grad(lambda x: (round_ste(x) ** 2).sum())(x),
        jax.grad(lambda x: round_ste(jnp.sin(x) * 5).sum())(x),
    )


@pytest.mark.points(2)
@pytest.mark.hint("Also try negative numbers, and fractions below and above a half.")
def test_numbers_are_rounded_to_the_nearest(submission, rng):
    """Each number becomes the nearest integer, whatever the shape."""
    for shape in ((8,), (), (3, 4), (1,)):
        x, whole = draw(rng, *shape)
        assert_close(submission.round_ste(x), whole, rtol=1e-6, atol=1e-6)
    x, _ = draw(rng, 8, most=0)
    assert_close(submission.round_ste(x), np.zeros_like(x), atol=1e-6)
    x, whole = draw(rng)
    assert_close(submission.round_ste(float(x)), whole, rtol=1e-6, atol=1e-6)


@pytest.mark.points(3)
@pytest.mark.hint(
    "The derivative of your result has to be that of x. Which parts of it vary with x?"
)
def test_the_gradient_passes_straight_through(submission, rng):
    """Each result has the derivative one in its own element, and zero in the others."""
    number, _ = draw(rng)
    assert_close(submission.round_ste.grad()(number), np.asarray(1.0))
    x, (n,) = draw(rng, 5)[0], rng.integers(2, 40, size=1)
    assert_close(submission.round_ste.jacrev()(np.resize(x, n)), np.eye(n))


@pytest.mark.points(3)
@pytest.mark.hint("Pass on the incoming gradient, not one of your own.")
def test_the_arriving_gradient_is_not_changed(submission, rng):
    """An incoming gradient passes through unchanged, and the chain rule holds on both sides."""
    x, whole = draw(rng, 7, 5)
    weights = rng.normal(size=x.shape).astype(np.float32)
    found = submission.round_ste.used_by(gradients)(x, weights)
    assert_close(found[0], weights)
    assert_close(found[1], 2 * whole, rtol=1e-6, atol=1e-6)
    assert_close(found[2], 5 * np.cos(x.astype(np.float64)), atol=1e-4)


@pytest.mark.hint("Python's round and int need one concrete number. Which jnp function doesn't?")
def test_it_survives_vmap_and_jit(submission, rng):
    """Under `jit` and `vmap`, each element has its value and its derivative."""
    x, whole = draw(rng, 6)
    assert_close(submission.round_ste.jit()(x), whole, rtol=1e-6, atol=1e-6)
    found = submission.round_ste.value_and_grad().vmap().jit()(x)
    assert_close(found, (whole, np.ones_like(x)), rtol=1e-6, atol=1e-6)


def test_details(submission, rng):
    """It works in half precision, and halfway between two integers."""
    x, whole = draw(rng, 8, most=12)
    for dtype in (np.float16, jnp.bfloat16):
        with case(f"in {np.dtype(dtype).name}", hint="What is the dtype of the rounded numbers?"):
            found = submission.round_ste(x.astype(dtype))
            assert_close(found, whole.astype(dtype))
    with case("halfway between two integers", hint="Both are right. Is it one of them?"):
        halves = np.floor(x) + np.float32(0.5)
        found = submission.round_ste(halves)
        assert_close(np.abs(found - halves), np.full(8, 0.5, np.float32))
