"""round_ste(x): rounds in the forward pass, and is the identity in the backward pass.

No number that is drawn is near a half. A half may be rounded up or down. Where all numbers
of float32 are integers, the draws are powers of 2, since adding a half there may reach the next
number.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

EXACT = {"rtol": 1e-6, "atol": 1e-6}


def draw(rng, *shape, bits=19):
    """(x, rounded): numbers of any size whose fractions are not close to one half."""
    whole = np.floor(2 ** rng.uniform(0, bits, size=shape)) - 1
    whole = whole * rng.choice([-1, 1], size=shape)
    return (whole + rng.uniform(-0.45, 0.45, size=shape)).astype(np.float32), whole


def array_of(round_ste, x):
    """What only an array can be asked for."""
    return round_ste(x).ravel()


def slopes(round_ste, number, x):
    """The derivative for one number, and those of an array's elements."""
    return jax.grad(round_ste)(number), jax.jacrev(round_ste)(x)


def gradients(round_ste, x, y, z, weights):
    """The gradients of three losses.

    One is computed from the rounded numbers, and the gradient of the next arrives at the rounding
    step as `weights`. The last has another operation before that step.
    """
    return (
        jax.grad(lambda x: (round_ste(x) ** 2).sum())(x),
        jax.grad(lambda y: (weights * round_ste(y)).sum())(y),
        jax.grad(lambda z: round_ste(jnp.sin(z) * 5).sum())(z),
    )


def pulled(round_ste, *arriving):
    """The gradient of zeros of each dtype, where these gradients arrive."""
    return [jax.vjp(round_ste, jnp.zeros_like(g))[1](g)[0] for g in arriving]


def for_each_element(round_ste, x):
    """Values; values and derivatives; the second and third derivative of the cube of a row."""
    curvature = jax.grad(jax.grad(lambda x: round_ste(x) ** 3))
    return (
        jax.vmap(round_ste)(x),
        jax.vmap(jax.vmap(jax.value_and_grad(round_ste)))(x),
        jax.vmap(jax.value_and_grad(curvature))(x[1]),
    )


@pytest.mark.hint("Try negative numbers as well, and fractions below and above a half.")
def test_numbers_are_rounded_to_the_nearest(submission, rng):
    """Each number becomes the nearest integer, whatever the shape."""
    for shape in [(), (1,), (16,), (2077, 2), (0, 2)]:
        x, whole = draw(rng, *shape)
        assert_close(submission.round_ste(x), np.float32(whole), **EXACT)
    small = np.float32([0, 1e-6, rng.uniform(0.1, 0.4), 0.49999997])
    small = np.tile(np.append(small, -small), 2)
    assert_close(submission.round_ste(small), np.zeros_like(small), atol=1e-7)
    nan_alone = np.zeros_like(small)
    small[1] = nan_alone[1] = np.nan
    assert_close(submission.round_ste(small), nan_alone, atol=1e-7, nonfinite=True)
    assert_close(submission.round_ste(-3.7), np.asarray(-4.0))
    assert_close(submission.round_ste.used_by(array_of)(2.6), np.float32([3]))
    assert_close(submission.round_ste(float("nan")), np.asarray(np.nan), nonfinite=True)
    near = np.float32([0.50000006, 1.4999999, 2.5000002, 3.4999998])
    near = np.tile(np.append(near, -near), 2)
    nearest = np.tile(np.float32([1, 1, 3, 3, -1, -1, -3, -3]), 2)
    assert_close(submission.round_ste(near), nearest, **EXACT)
    # Beyond the last of these, all numbers of float32 are integers.
    halves = np.resize(np.float32([0.5, -1.5, 2.0**23 - 0.5]), 16)
    assert_close(np.abs(submission.round_ste(halves) - halves), np.full(16, 0.5, np.float32))


@pytest.mark.points(3)
@pytest.mark.hint(
    "The derivative of your result has to be that of x. Which parts of it vary with x?"
)
def test_the_gradient_passes_straight_through(submission, rng):
    """Each result has the derivative one in its own element, and zero in the others."""
    number, _ = draw(rng)
    x, _ = draw(rng, 8)
    # A number halfway between two integers may go to either, but its derivative is no other.
    x[:4] = 0, 2.5, -1.5, 0.5
    found = submission.round_ste.used_by(slopes)(number, x)
    assert_close(found, (np.asarray(1.0), np.eye(8)))


@pytest.mark.points(3)
@pytest.mark.hint("Pass on the gradient that arrives, not one of your own.")
def test_the_arriving_gradient_is_not_changed(submission, rng):
    """An arriving gradient goes through unchanged, and the chain rule holds on both sides."""
    x, whole = draw(rng, 70, 5)
    y, weights = x.copy(), rng.normal(size=x.shape).astype(np.float32)
    weights[0, :2] = np.nan, np.inf
    y[1, 0] = np.nan
    z = rng.normal(size=x.shape).astype(np.float32)
    found = submission.round_ste.used_by(gradients)(x, y, z, weights)
    assert_close(found[0], 2.0 * whole, **EXACT)
    assert_close(found[1], weights, nonfinite=True)
    assert_close(found[2], 5 * np.cos(z.astype(np.float64)), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Python's own round and int need one concrete number. Which jnp function doesn't?"
)
def test_it_survives_vmap_and_jit(submission, rng):
    """Under `vmap` and `jit`, value and all derivatives are those of each element."""
    x, whole = draw(rng, 6, 8)
    huge = 2.0 ** np.array([24, 30, 31, 32, 40, 63, 64, 120])
    x[0] = whole[0] = rng.permutation(huge * rng.choice([-1, 1], size=8))
    values, both, third = submission.round_ste.used_by(for_each_element).jit()(x)
    assert_close(values, np.float32(whole), **EXACT)
    assert_close(both, (np.float32(whole), np.ones_like(x)), **EXACT)
    assert_close(third, (6 * np.float32(whole[1]), np.full(8, 6.0, np.float32)), **EXACT)


@pytest.mark.hint("Rounded numbers stay floats, with the precision of the input.")
def test_the_dtype_is_kept(submission, rng):
    """float16, bfloat16 and float32 keep their dtype, the largest numbers and NaN.

    So do their gradients, and scalars.
    """
    # From 16 on, bfloat16 has only multiples of 1/8: it rounds 0.45 to a half. One number more is
    # odd, and adding a half to it gives the next number.
    x, whole = draw(rng, 8, bits=4)
    dtypes = np.float16, jnp.bfloat16, np.float32
    for dtype in dtypes:
        kind = jnp.finfo(dtype)
        odd, largest = 2.0**kind.nmant + 1, float(kind.max)
        more = [odd, -odd, 40_000, -40_000, largest, -largest, np.nan]
        # Among the largest numbers that have a quarter.
        large = 2.0 ** (kind.nmant - 2) + 1
        found = submission.round_ste(np.append(x, [*more, large + 0.25]).astype(dtype))
        expected = np.append(whole, [*more, large]).astype(dtype)
        assert_close(found, expected, rtol=0, atol=0, nonfinite=True)
        scalar = np.asarray(-3.75, dtype)
        assert_close(submission.round_ste(scalar), np.asarray(-4, dtype))
    arriving = [x.astype(dtype) for dtype in dtypes]
    found = submission.round_ste.used_by(pulled)(*arriving)
    assert_close(found, arriving, rtol=0, atol=0)
