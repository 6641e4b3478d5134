"""accumulate_bf16(x, w): a product of half precision whose result is float32.

Compiled on a CPU, a rounding in the middle may be left out. So digits are compared in plain calls,
and a program is asked for its dtypes.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

KINDS = jnp.bfloat16, np.float16


def draw(rng, rows, inner, columns, scale=1.0, dtype=jnp.bfloat16):
    """Numbers of both signs, of all digits that the dtype has."""
    x = scale * rng.uniform(1, 2, (rows, inner)) * rng.choice([-1, 1], (rows, inner))
    w = rng.uniform(1, 2, (inner, columns)) * rng.choice([-1, 1], (inner, columns))
    return x.astype(dtype), w.astype(dtype)


def product(x, w):
    """In float64."""
    with np.errstate(invalid="ignore"):
        return np.matmul(x.astype(np.float64), w.astype(np.float64))


def check(found, x, w, loss=2e-6):
    # What a sum in float32 loses, in any order.
    room = np.matmul(np.abs(x).astype(np.float64), np.abs(w).astype(np.float64)).max()
    assert_close(found, product(x, w), atol=loss * room)


@pytest.mark.hint("Which dtype has the product, before anything is done with it?")
def test_the_product_is_in_float32(submission, rng):
    """Small products have the shape [M, N], the dtype float32, and their exact values."""
    shapes = [(1, 1, 1), (2, 3, 4), (5, 1, 2), (3, 3, 3)]
    for (rows, inner, columns), scale in zip(shapes, (1e9, 1e-9, 1, 1), strict=True):
        x, w = draw(rng, rows, inner, columns, scale)
        check(submission.accumulate_bf16(x, w), x, w)
        check(submission.accumulate_bf16(w.T, x.T), w.T, x.T)


@pytest.mark.points(2)
@pytest.mark.hint("A number of bfloat16 has 8 digits. Where in your code is a sum one of them?")
def test_long_sums_keep_their_digits(submission, rng):
    """Sums of thousands of products are as exact as float32, also where they nearly cancel."""
    x, w = draw(rng, 300, 1500, 2)
    check(submission.accumulate_bf16(x, w), x, w)
    # The second half of each sum takes away the first one, but for a little.
    x, w = np.hstack([x, -x]), np.vstack([w, w])
    x[:, 0] = x[:, 0] + jnp.asarray(0.25, x.dtype)
    check(submission.accumulate_bf16(x, w), x, w)


@pytest.mark.hint("The largest number of float16 is 65504. Which of your results is in float16?")
def test_float16_may_have_large_sums(submission, rng):
    """In float16, too, sums are in float32, so they may be beyond 65504; NaN and infinity count."""
    x, w = draw(rng, 3, 200, 70, 150, np.float16)
    x, w = np.abs(x), 100 * w
    check(submission.accumulate_bf16(x, w), x, w)
    for dtype in KINDS:
        x, w = draw(rng, 4, 3, 2, dtype=dtype)
        x[0, 1], x[1, 2], x[2, 0] = np.nan, np.inf, -np.inf
        # Infinity times 0, and infinity minus infinity.
        w[2, 0], x[3, :2] = 0, np.inf * np.sign(w[:2, 1]) * np.array([1, -1])
        for pair in ((x, w), (w.T, x.T)):
            expected = product(*pair)
            assert_close(submission.accumulate_bf16(*pair), expected, atol=1e-5, nonfinite=True)


@pytest.mark.hint("A gradient passes through each operation. Does one have none, or round it?")
def test_it_has_a_gradient(submission, rng):
    """The gradients in both arguments are right, and have the dtype of the arguments."""
    for dtype in KINDS:
        x, w = (part.astype(dtype) for part in draw(rng, 3, 4, 2))
        x[0, 0] = w[1, 1] = 0
        weights = rng.uniform(1, 2, (3, 2)).astype(np.float32)
        found = submission.accumulate_bf16.used_by(weighted).grad(argnums=(0, 1))
        expected = product(weights, w.T).astype(dtype), product(x.T, weights).astype(dtype)
        assert_close(found(x, w, weights), expected)
        # The sums take nearly all of the gradient away that arrives, so its last digits count.
        x[:], w[:], weights[:] = 0, 0, 1
        x[:2, 0], w[0], weights[0, 0] = (1, -1), (1, -1), 1 + 2.0**-14
        expected = product(weights, w.T).astype(dtype), product(x.T, weights).astype(dtype)
        assert_close(found(x, w, weights), expected, atol=0)


def weighted(f, x, w, weights):
    return jnp.sum(weights * f(x, w))


def forward_pass(f, x, w):
    """The value where somebody asks for a gradient, too."""
    return jax.vjp(f, x, w)[0]


@pytest.mark.hint("Do you use NumPy, or the number of axes?")
def test_it_works_for_a_batch(submission, rng):
    """Under `vmap` and `jit` each pair of matrices has its product; one of them may be shared."""
    pairs = [draw(rng, 2, 6, 3, scale) for scale in (1, 2, 4)]
    x, w = (np.stack(arrays) for arrays in zip(*pairs, strict=True))
    # Whether a compiler leaves out a rounding differs between versions, so nothing rests on it.
    check(submission.accumulate_bf16.vmap().jit()(x, w), x, w, 0.02)
    check(submission.accumulate_bf16.vmap(in_axes=(0, None)).jit()(x, w[0]), x, w[0], 0.02)


@pytest.mark.points(4)
@pytest.mark.hint("Neither before nor after the product is anything converted. What does it need?")
def test_the_product_itself_gives_float32(submission, rng):
    """In its program nothing has half precision but the arguments, which aren't converted.

    The same holds for a batch, and for the value where a gradient is asked for, too.
    """
    for dtype in KINDS:
        x, w = draw(rng, 2, 700, 3, dtype=dtype)
        accumulate = submission.accumulate_bf16
        beside_a_gradient = accumulate.used_by(forward_pass)
        batch = x[None], w[None]
        for used, given in (
            (accumulate, (x, w)),
            (beside_a_gradient, (x, w)),
            (accumulate.vmap(), batch),
        ):
            program = used.program(*given)
            check(program(*given), *given)
            assert not program.dtypes & {"bf16", "f16"}, "a result is in half precision"
            assert program.largest_intermediate < min(x.size, w.size), "an argument is converted"
