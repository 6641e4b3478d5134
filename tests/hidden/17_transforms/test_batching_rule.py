"""high_power(a, x): 64 products for one vector, and squarings for a batch with one matrix.

The work is counted in the programs. Matrices are nearly orthogonal, so powers stay of order one.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def matrix(rng, n):
    """A rotation or reflection, and a little less than that in each direction."""
    q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    return np.asarray(q * rng.uniform(0.98, 1.005, size=n), np.float32)


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def exact(a, x):
    return np.linalg.matrix_power(a.astype(np.float64), 64) @ x.astype(np.float64)


def check(found, pairs):
    """The results for pairs of a matrix and a vector."""
    assert_close(found, np.stack([exact(a, x) for a, x in pairs]), atol=1e-3)


@pytest.mark.hint("How many products are there? And is the matrix on the left side?")
def test_one_vector(submission, rng):
    """For one vector the result is the power times the vector."""
    for n in (3, 1, 6):
        a, x = matrix(rng, n), normal(rng, n)
        assert_close(submission.high_power(a, x), exact(a, x), atol=1e-3)


@pytest.mark.hint("Squarings are matrix products. Are they cheaper for one vector?")
def test_one_vector_is_cheap(submission, rng):
    """One vector needs products with a vector only."""
    n = 40
    a, x = matrix(rng, n), normal(rng, n)
    program = submission.high_power.program(a, x)
    assert_close(program(a, x), exact(a, x), atol=1e-3)
    # 65 products, and room for a few operations on vectors in each round.
    assert program.flops <= 65 * (2 * n**2 + 5 * n)


@pytest.mark.points(2)
@pytest.mark.hint("An argument that isn't batched comes to your rule without a batch axis.")
def test_each_argument_may_be_batched(submission, rng):
    """With any arguments batched, each pair has its result."""
    f, n = submission.high_power, 3
    matrices, vectors = np.stack([matrix(rng, n) for _ in range(n)]), normal(rng, n, n)
    a, x = matrices[0], vectors[0]
    with case("with both batched", hint="Each vector has a matrix of its own."):
        check(f.vmap()(matrices, vectors), list(zip(matrices, vectors, strict=True)))
    with case("with x batched", hint="The vectors are rows. Which matrix stands on their right?"):
        check(f.vmap(in_axes=(None, 0))(a, vectors), [(a, x) for x in vectors])
    with case("with `a` batched", hint="x has no batch axis here. Is the result batched?"):
        check(f.vmap(in_axes=(0, None))(matrices, x), [(a, x) for a in matrices])


@pytest.mark.points(4)
@pytest.mark.hint("What does your rule compute once, and what for each vector of the batch?")
def test_many_vectors_share_the_squarings(submission, rng):
    """With one matrix, a batch needs few matrix products, and one product for each vector."""
    n = 24
    for count in (300, 48, 4):
        a, vectors = matrix(rng, n), normal(rng, count, n)
        # A function under `jit` can't see that it is batched; its rule is called.
        program = submission.high_power.jit().vmap(in_axes=(None, 0)).program(a, vectors)
        check(program(a, vectors), [(a, x) for x in vectors])
        assert program.flops <= 8 * 2 * n**3 + 2 * count * 2 * n**2 + 20 * n**2


@pytest.mark.hint("With a matrix for each vector, squarings cost more than the loop.")
def test_many_matrices_are_not_squared(submission, rng):
    """With a matrix for each vector, no matrix is squared."""
    n, count = 40, 5
    matrices, vectors = np.stack([matrix(rng, n) for _ in range(count)]), normal(rng, count, n)
    program = submission.high_power.vmap().program(matrices, vectors)
    check(program(matrices, vectors), list(zip(matrices, vectors, strict=True)))
    assert program.flops <= count * 65 * (2 * n**2 + 10 * n)


def nested(high_power, a, x):
    return jax.vmap(jax.vmap(high_power, (None, 0)), (0, 0))(a, x)


def test_details(submission, rng):
    """It works along other axes, under `jit` and a second `vmap`, and in half precision."""
    f, n = submission.high_power, 3
    matrices, vectors = np.stack([matrix(rng, n) for _ in range(4)]), normal(rng, 4, n)
    with case("along other axes", hint="`vmap` moves the batch axis to the front for you."):
        found = f.vmap(in_axes=(2, 1), out_axes=1)(np.moveaxis(matrices, 0, 2), vectors.T)
        check(found.T, list(zip(matrices, vectors, strict=True)))
    with case("under `jit`", hint="Does anything in your function need a value?"):
        found = f.jit()(matrices[0], vectors[0])
        assert_close(found, exact(matrices[0], vectors[0]), atol=1e-3)
    with case("for a batch in half precision", hint="Which dtype has the result of your rule?"):
        # A turn of the elements is exact.
        turn, x = np.roll(np.eye(3), 1, axis=0), rng.integers(-9, 9, size=(2, 3))
        found = f.vmap(in_axes=(None, 0))(turn.astype(jnp.bfloat16), x.astype(jnp.bfloat16))
        assert_close(found, np.roll(x, 1, axis=1).astype(jnp.bfloat16))
    with case("under `vmap` of `vmap`", hint="What your rule computes is batched as usual."):
        n, count = 16, 60
        matrices, vectors = np.stack([matrix(rng, n) for _ in range(3)]), normal(rng, 3, count, n)
        program = submission.high_power.used_by(nested).program(matrices, vectors)
        for found, a, xs in zip(program(matrices, vectors), matrices, vectors, strict=True):
            check(found, [(a, x) for x in xs])
        assert program.flops <= 3 * (8 * 2 * n**3 + 20 * n**2 + count * 2 * 2 * n**2)
