"""apply_batch(mat, vs): one matrix times each row of a batch, in a program of one size."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

from .calls import each


def draw(rng, m, n, batch):
    mat, vs = rng.normal(size=(m, n)), rng.normal(size=(batch, n))
    return mat.astype(np.float32), vs.astype(np.float32)


def draw_sizes(rng, rows, n):
    """Rows of positive numbers: one row is tiny, one is huge, and the others are of order one."""
    powers = rng.permutation([-6, 5, *[0] * (rows - 2)])
    return (rng.uniform(1, 2, size=(rows, n)) * 10.0 ** powers[:, None]).astype(np.float32)


def draw_exact(rng, place, low, high, dtype):
    """A matrix and vectors: odd numbers in the one at `place`, and signs in the other one.

    Products and sums of five are exact, and need all digits: with one digit less, each of the five
    products would be wrong by 1, and so would be the sum.
    """
    arrays = [rng.choice([-1, 1], size=(rows, 5)) for rows in (3, 4)]
    arrays[place] *= 2 * rng.integers(low // 2, high // 2, size=arrays[place].shape) + 1
    return [array.astype(jnp.dtype(dtype)) for array in arrays]


def check(result, mat, vs):
    """Compares with a loop in float64; sums may be near 0, so the tolerance is absolute."""
    assert_close(result, np.stack([mat.astype(np.float64) @ v for v in vs]), atol=1e-5)


@pytest.mark.hint("Row b of the result is the matrix times row b of the batch.")
def test_each_vector_is_multiplied(submission, rng):
    """Each row is the matrix times a vector, for numbers of any size and dtype, and for NaN."""
    mat, vs = draw(rng, 3, 5, 4)
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
    # One row and long vectors, whose products are exact.
    mat, vs = (rng.integers(-4, 5, size=(rows, 1101)).astype(np.float32) for rows in (1, 4))
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
        for place in range(2):
            mat, vs = draw_exact(rng, place, low, high, dtype)
            expected = vs.astype(np.float64) @ mat.astype(np.float64).T
            assert_close(submission.apply_batch(mat, vs), expected.astype(mat.dtype), atol=0)
    # A sum in half precision stops to grow near 1000, where the next number is too far away.
    mat, vs = (rng.uniform(0.5, 0.8, size=(2, 5000)).astype(np.float16) for _ in range(2))
    expected = vs.astype(np.float64) @ mat.T.astype(np.float64)
    assert_close(submission.apply_batch(mat, vs), expected.astype(np.float16), rtol=0.02)


def weighted(f, mat, vs, weights):
    """A number whose gradient is known."""
    return (f(mat, vs) * weights).sum()


def with_slopes(f, arguments):
    """Of each matrix, vectors and weights: the products, and the gradients of `weighted`."""
    slopes = jax.grad(partial(weighted, f), argnums=(0, 1))
    return [(f(mat, vs), slopes(mat, vs, weights)) for mat, vs, weights in arguments]


def known(mat, vs, weights):
    """The products and the gradients, in float64."""
    mat, vs, weights = (a.astype(np.float64) for a in (mat, vs, weights))
    return vs @ mat.T, (weights.T @ vs, weights @ mat)


@pytest.mark.points(3)
@pytest.mark.hint("When all lengths are equal, a transposed product has the right shape, too.")
def test_nothing_is_transposed_when_every_shape_fits(submission, rng):
    """With a square matrix and as many vectors as rows, values and gradients are right."""
    mat, vs = draw(rng, 4, 4, 4)
    mat[0, 1] = vs[2, 3] = 0
    weights = rng.normal(size=(4, 4)).astype(np.float32)
    # The gradients of a small batch are exact sums in half precision.
    half = tuple(rng.integers(-4, 5, size=(4, 4)).astype(jnp.bfloat16) for _ in range(3))
    found = submission.apply_batch.used_by(with_slopes).jit()
    # Odd numbers among signs, which need all digits of float16.
    for place in range(3):
        arrays = rng.choice([-1, 1], size=(3, 4, 4))
        arrays[place] *= 2 * rng.integers(128, 200, size=(4, 4)) + 1
        given = [(mat, vs, weights), half, tuple(arrays.astype(np.float16))]
        results = found(given)
        assert_close(results[0], known(*given[0]), atol=1e-5)
        for (_, slopes), arguments in zip(results[1:], given[1:], strict=True):
            in_half = partial(np.asarray, dtype=arguments[0].dtype)
            assert_close(slopes, jax.tree.map(in_half, known(*arguments)[1]), atol=0)


@pytest.mark.hint("Does one of your operations drop axes of length 1?")
def test_a_batch_of_one_stays_a_batch(submission, rng):
    """A single vector gives a result with one row."""
    pairs = [draw(rng, m, n, 1) for m, n in [(3, 5), (4, 4), (1, 1)]]
    found = submission.apply_batch.used_by(each).jit()(pairs)
    for result, pair in zip(found, pairs, strict=True):
        check(result, *pair)


@pytest.mark.points(3)
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
        mat, vs = draw(rng, 3, 5, batch)
        program = submission.apply_batch.program(mat, vs)
        assert program.size == sizes[0]
        check(program(mat, vs), mat, vs)
    # Other shapes, with more vectors than 16 bits can count, and long products.
    shapes = [(5, 3, 7), (1, 4, 2), (4, 1, 3), (1, 1, 70_001), (1033, 1, 5)]
    pairs = [draw(rng, *shape) for shape in shapes]
    found = submission.apply_batch.used_by(each).jit()(pairs)
    expected = [vs.astype(np.float64) @ mat.T.astype(np.float64) for mat, vs in pairs]
    for result, right, atol in zip(found, expected, [1e-5] * 3 + [1e-3] * 2, strict=True):
        assert_close(result, right, atol=atol)


@pytest.mark.points(2)
@pytest.mark.hint("The gradient of a Python loop is a longer one. What has a gradient of one size?")
def test_the_gradient_does_not_grow(submission, rng):
    """The program of the gradients for a batch of 301 is as small as the one for a batch of 2."""
    grad = submission.apply_batch.used_by(weighted).grad(argnums=(0, 1))
    sizes = []
    # The third number: nor is it written out for blocks of vectors.
    for batch in (2, 301, 200):
        # Sums over many vectors, which are exact.
        arrays = [rng.integers(-4, 5, size=s) for s in [(70, 5), (batch, 5), (batch, 70)]]
        mat, vs, weights = (a.astype(np.float32) for a in arrays)
        program = grad.program(mat, vs, weights)
        found = program.structured(mat, vs, weights)
        assert_close(found, (weights.T @ vs, weights @ mat), atol=0)
        sizes.append(program.size)
    assert sizes[1] == sizes[2] == sizes[0]
    assert sizes[1] < 100
