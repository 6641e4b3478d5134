"""apply_batch(mat, vs): one matrix times each row of a batch, in a program of one size."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, m, n, batch):
    mat, vs = rng.normal(size=(m, n)), rng.normal(size=(batch, n))
    return mat.astype(np.float32), vs.astype(np.float32)


def products(mat, vs):
    """A loop in float64."""
    return np.stack([mat.astype(np.float64) @ v.astype(np.float64) for v in vs])


def check(result, mat, vs):
    """Sums may be near 0, so the tolerance is absolute."""
    assert_close(result, products(mat, vs), atol=1e-4)


@pytest.mark.hint("Row b of the result is the matrix times row b of the batch.")
def test_each_vector_is_multiplied(submission, rng):
    """Each row of the result is the matrix times one vector."""
    for m, n, batch in ((3, 5, 4), (7, 2, 3), (1, 6, 9)):
        mat, vs = draw(rng, m, n, batch)
        check(submission.apply_batch(mat, vs), mat, vs)


@pytest.mark.points(2)
@pytest.mark.hint("When all lengths are equal, a transposed product also has the right shape.")
def test_nothing_is_transposed_when_every_shape_fits(submission, rng):
    """With a square matrix and as many vectors as rows, the values are right."""
    mat, vs = draw(rng, 4, 4, 4)
    check(submission.apply_batch(mat, vs), mat, vs)


@pytest.mark.hint("Does one of your operations drop axes of length 1?")
def test_a_batch_of_one_stays_a_batch(submission, rng):
    """A single vector gives a result with one row."""
    for m, n in ((3, 5), (1, 1)):
        mat, vs = draw(rng, m, n, 1)
        check(submission.apply_batch(mat, vs), mat, vs)


@pytest.mark.points(4)
@pytest.mark.hint("A Python loop adds a copy of its body to the program for each vector.")
def test_the_program_does_not_grow(submission, rng):
    """The program for a batch of 200 has fewer operations than vectors."""
    mat, vs = draw(rng, 3, 5, 200)
    program = submission.apply_batch.program(mat, vs)
    assert program.size < 200
    check(program(mat, vs), mat, vs)


def weighted(f, mat, vs, weights):
    """A number whose gradients are known."""
    return (f(mat, vs) * weights).sum()


@pytest.mark.hint(
    "A Python loop's gradient is a longer loop. What has a gradient of constant size?"
)
def test_the_gradient_does_not_grow(submission, rng):
    """The program of the gradients for a batch of 200 has fewer operations than vectors."""
    mat, vs = draw(rng, 3, 5, 200)
    weights = rng.normal(size=(200, 3)).astype(np.float32)
    grad = submission.apply_batch.used_by(weighted).grad(argnums=(0, 1))
    program = grad.program(mat, vs, weights)
    assert program.size < 200
    expected = weights.T.astype(np.float64) @ vs, weights.astype(np.float64) @ mat
    assert_close(program.structured(mat, vs, weights), expected, atol=1e-3)


def test_details(submission, rng):
    """It works for other dtypes, large integers, NaN and infinity."""
    for name, dtype in (("bfloat16", jnp.bfloat16), ("float16", np.float16), ("int32", np.int32)):
        with case(f"for {name}", hint="Do you convert the numbers, or the result?"):
            mat, vs = (rng.integers(-4, 5, size=(rows, 5)).astype(dtype) for rows in (3, 4))
            assert_close(submission.apply_batch(mat, vs), products(mat, vs).astype(dtype))
    with case("for large integers", hint="A float32 has 24 bits for digits. Do you need floats?"):
        mat, vs = (rng.integers(-20_000, 20_000, size=(n, 5), dtype=np.int32) for n in (3, 4))
        assert_close(submission.apply_batch(mat, vs), products(mat, vs).astype(np.int32))
    with case(
        "where a vector has NaN or an infinite number", hint="Do vectors mix? 0 times NaN is NaN."
    ):
        mat, vs = draw(rng, 3, 5, 4)
        vs[1, 2] = np.nan
        vs[2, 0] = np.inf
        expected = products(mat, vs)
        assert_close(submission.apply_batch(mat, vs), expected, atol=1e-4, nonfinite=True)
