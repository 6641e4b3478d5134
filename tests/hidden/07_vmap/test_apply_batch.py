"""apply_batch(mat, vs): one matrix times each row of a batch, in a program of one size."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng, m, n, batch):
    mat, vs = rng.normal(size=(m, n)), rng.normal(size=(batch, n))
    return mat.astype(np.float32), vs.astype(np.float32)


def draw_sizes(rng, rows, n):
    """Rows of positive numbers: one row is tiny, one is huge, and the others are of order one."""
    powers = rng.permutation([-6, 5, *[0] * (rows - 2)])
    return (rng.uniform(1, 2, size=(rows, n)) * 10.0 ** powers[:, None]).astype(np.float32)


def draw_exact(rng, low, high, dtype):
    """Odd numbers and signs, five to a row: their products and sums are exact, and need all digits.

    With one digit less, each of the five products would be wrong by 1, and so would be the sum.
    """
    odd = (2 * rng.integers(low // 2, high // 2, size=(3, 5)) + 1) * rng.choice([-1, 1], (3, 5))
    return odd.astype(jnp.dtype(dtype)), rng.choice([-1, 1], (4, 5)).astype(jnp.dtype(dtype))


def check(result, mat, vs):
    """Compares with a loop in float64; sums may be near 0, so the tolerance is absolute."""
    assert_close(result, np.stack([mat.astype(np.float64) @ v for v in vs]), atol=1e-5)


@pytest.mark.visible
@pytest.mark.promise(
    "mat: [m, n] float32, bfloat16, float16 or int32, the same for the whole batch.",
    "vs: [B, n], one vector per row, of the same dtype.",
    "No product of two numbers overflows or underflows.",
    "[B, m]; row b is `mat @ vs[b]`, and has its dtype.",
)
@pytest.mark.hint("Row b of the result is the matrix times row b of the batch.")
def test_each_vector_is_multiplied(submission, rng):
    """Each row is the matrix times a vector, for numbers of any size and dtype, and for NaN."""
    for m, n, batch in [(3, 5, 4), (5, 3, 7), (1, 4, 2), (4, 1, 3)]:
        mat, vs = draw(rng, m, n, batch)
        check(submission.apply_batch(mat, vs), mat, vs)
    mat, vs = draw_sizes(rng, 3, 5), draw_sizes(rng, 4, 5)
    assert_close(submission.apply_batch(mat, vs), vs.astype(np.float64) @ mat.T, rtol=1e-5)
    mat, vs = draw(rng, 3, 5, 4)
    mat[1, 3], vs[1, 2] = np.nan, np.nan
    mat[0, 0], vs[2, 0] = np.inf, np.inf
    # A zero hides no infinity.
    mat[2, 0], vs[3, 0] = 0, 0
    with np.errstate(invalid="ignore"):
        expected = np.stack([mat.astype(np.float64) @ v for v in vs])
    assert_close(submission.apply_batch(mat, vs), expected, atol=1e-5, nonfinite=True)
    # Long vectors, whose products are exact.
    mat, vs = (rng.integers(-4, 5, size=(rows, 1101)).astype(np.float32) for rows in (3, 4))
    assert_close(submission.apply_batch(mat, vs), vs @ mat.T, atol=0)
    # Sums of up to 80, which are exact in half precision. Integers fill their 32 bits.
    for dtype, largest in [("bfloat16", 4), ("float16", 4), ("int32", 20_000)]:
        mat, vs = (
            rng.integers(-largest, largest + 1, size=(rows, 5)).astype(jnp.dtype(dtype))
            for rows in (3, 4)
        )
        expected = np.stack([mat.astype(np.float64) @ v.astype(np.float64) for v in vs])
        assert_close(submission.apply_batch(mat, vs), expected.astype(mat.dtype), atol=0)
    # Here the numbers, and not their products, fill the digits of the dtype.
    for dtype, low, high in [
        ("bfloat16", 33, 51),
        ("float16", 257, 409),
        ("int32", 2**28, 400_000_000),
    ]:
        odd, signs = draw_exact(rng, low, high, dtype)
        expected = odd.astype(np.float64) @ signs.astype(np.float64).T
        for mat, vs, products in [(odd, signs, expected.T), (signs, odd, expected)]:
            assert_close(submission.apply_batch(mat, vs), products.astype(mat.dtype), atol=0)
    # A sum in half precision stops to grow near 1000, where the next number is too far away.
    mat, vs = (rng.uniform(0.5, 0.8, size=(2, 5000)).astype(np.float16) for _ in range(2))
    expected = vs.astype(np.float64) @ mat.T.astype(np.float64)
    assert_close(submission.apply_batch(mat, vs), expected.astype(np.float16), rtol=0.02)


def weighted(f, mat, vs, weights):
    """A number whose gradient is known."""
    return (f(mat, vs) * weights).sum()


@pytest.mark.points(3)
@pytest.mark.promise(
    "where they fit by chance, the result is wrong without any error",
    "Both arguments have gradients; in half precision, those of a large batch may be rough.",
)
@pytest.mark.hint("When all lengths are equal, a transposed product has the right shape, too.")
def test_nothing_is_transposed_when_every_shape_fits(submission, rng):
    """With a square matrix and as many vectors as rows, values and gradients are right."""
    mat, vs = draw(rng, 4, 4, 4)
    mat[0, 1] = vs[2, 3] = 0
    check(submission.apply_batch(mat, vs), mat, vs)
    weights = rng.normal(size=(4, 4)).astype(np.float32)
    grad = submission.apply_batch.used_by(weighted).grad(argnums=(0, 1))
    wide = weights.astype(np.float64)
    assert_close(grad(mat, vs, weights), (wide.T @ vs, wide @ mat), atol=1e-5)
    # The gradients of a small batch are exact sums in half precision.
    mat, vs, weights = (rng.integers(-4, 5, size=(4, 4)).astype(jnp.bfloat16) for _ in range(3))
    expected = tuple(a.astype(jnp.bfloat16) for a in (weights.T @ vs, weights @ mat))
    assert_close(grad(mat, vs, weights), expected, atol=0)
    # Odd numbers among signs, which need all digits of float16.
    for place in range(3):
        arrays = rng.choice([-1, 1], size=(3, 4, 4))
        arrays[place] *= 2 * rng.integers(128, 200, size=(4, 4)) + 1
        mat, vs, weights = arrays
        expected = tuple(a.astype(np.float16) for a in (weights.T @ vs, weights @ mat))
        assert_close(grad(*arrays.astype(np.float16)), expected, atol=0)


@pytest.mark.promise("A batch of one is still a batch")
@pytest.mark.hint("Does one of your operations drop axes of length 1?")
def test_a_batch_of_one_stays_a_batch(submission, rng):
    """A single vector gives a result with one row."""
    for m, n in [(3, 5), (4, 4), (1, 1)]:
        mat, vs = draw(rng, m, n, 1)
        check(submission.apply_batch(mat, vs), mat, vs)


@pytest.mark.points(3)
@pytest.mark.promise("The traced program is no bigger for B = 200 than for 2")
@pytest.mark.hint("A Python loop puts a copy of its body into the program for each vector.")
def test_the_program_does_not_grow(submission, rng):
    """The program for a batch of 90 is as small as the one for a batch of 2."""
    sizes = []
    for batch in (2, 90):
        mat, vs = draw(rng, 70, 10, batch)
        program = submission.apply_batch.program(mat, vs)
        check(program(mat, vs), mat, vs)
        sizes.append(program.size)
    assert sizes[1] == sizes[0]
    # The sizes would also be equal if both programs were written out for 90 vectors.
    assert sizes[1] < 100
    # Nor is it written out for blocks of vectors.
    for batch in (200, 2000):
        assert submission.apply_batch.program(*draw(rng, 3, 5, batch)).size == sizes[0]
    # More vectors than 16 bits can count, and long products.
    for m, n, batch in [(1, 1, 70_001), (1033, 1, 5)]:
        mat, vs = draw(rng, m, n, batch)
        found = submission.apply_batch(mat, vs)
        assert_close(found, vs.astype(np.float64) @ mat.T.astype(np.float64), atol=1e-3)


@pytest.mark.points(2)
@pytest.mark.promise("Both arguments have gradients", "and neither is that of the gradients")
@pytest.mark.hint("The gradient of a Python loop is a longer one. What has a gradient of one size?")
def test_the_gradient_does_not_grow(submission, rng):
    """The program of the gradients for a batch of 90 is as small as the one for a batch of 2."""
    grad = submission.apply_batch.used_by(weighted).grad(argnums=(0, 1))
    sizes = []
    for batch in (2, 90):
        mat, vs = draw(rng, 3, 5, batch)
        weights = rng.normal(size=(batch, 3)).astype(np.float32)
        program = grad.program(mat, vs, weights)
        wide = weights.astype(np.float64)
        assert_close(program.structured(mat, vs, weights), (wide.T @ vs, wide @ mat), atol=1e-4)
        sizes.append(program.size)
    assert sizes[1] == sizes[0]
    assert sizes[1] < 100
    # Nor is it written out for blocks of vectors.
    weights = np.ones((200, 3), np.float32)
    assert grad.program(*draw(rng, 3, 5, 200), weights).size == sizes[0]
    # Sums over more vectors, which are exact, and a matrix of more rows.
    arrays = [rng.integers(-4, 5, size=s) for s in [(70, 5), (301, 5), (301, 70)]]
    mat, vs, weights = (a.astype(np.float32) for a in arrays)
    assert_close(grad(mat, vs, weights), (weights.T @ vs, weights @ mat), atol=0)
