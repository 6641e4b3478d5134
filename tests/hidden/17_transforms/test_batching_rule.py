"""high_power(a, x): 64 products for one vector, and squarings for a batch with one matrix.

The work is counted in the programs. Matrices are nearly orthogonal, so powers stay of order one.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def matrix(rng, n):
    """A rotation or reflection, and a little less than that in each direction."""
    q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    return np.asarray(q * rng.uniform(0.98, 1.005, size=n), np.float32)


def vector(rng, *shape):
    """Vectors of any scale."""
    scales = 10 ** rng.uniform(-9, 9, size=(*shape[:-1], 1))
    return np.asarray(rng.normal(size=shape) * scales, np.float32)


def exact(a, x):
    return np.linalg.matrix_power(a.astype(np.float64), 64) @ x.astype(np.float64)


def check(found, a, x):
    """One vector, relative to its largest element."""
    expected = exact(a, x)
    assert_close(found, expected, atol=5e-5 * float(np.abs(expected).max()))


def check_all(found, pairs):
    assert len(found) == len(pairs)
    for one, (a, x) in zip(found, pairs, strict=True):
        check(one, a, x)


# Their powers are exact in float32: two end in zeros, and one is a shear beside a factor.
SPECIAL = np.float32(
    [
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 1, 0], [0, 0, 1], [0, 0, 0]],
        [[1, 1e6, 0], [0, 1, 0], [0, 0, -2]],
    ]
)


@pytest.mark.hint("How many products are there? And is the matrix on the left side?")
def test_one_vector(submission, rng):
    """For one vector the result is the power times the vector, also under `jit`."""
    for n in (3, 1, 6):
        a, x = matrix(rng, n), vector(rng, n)
        check(submission.high_power(a, x), a, x)
        check(submission.high_power.jit()(a, x), a, x)
    # A shear by a large number, which is exact, and NaN.
    shear = np.float32([[1, 1e6], [0, 1]])
    assert_close(submission.high_power(shear, np.float32([0, 1])), np.float32([6.4e7, 1]))
    numbers = rng.integers(-9, 9, size=3).astype(np.float32)
    # Powers that end in zeros, and a vector of zeros.
    for a, x in (*((a, numbers) for a in SPECIAL), (SPECIAL[2], 0 * numbers)):
        expected = np.linalg.matrix_power(a.astype(np.float64), 64) @ x
        assert_close(submission.high_power(a, x), expected, rtol=1e-5)
    unknown = np.float32([np.nan, 1])
    found = submission.high_power(shear, unknown)
    assert_close(found, np.full_like(unknown, np.nan), nonfinite=True)
    for dtype in (jnp.bfloat16, np.float16):
        order, x = rng.permutation(5), rng.integers(-9, 9, size=5).astype(dtype)
        a = np.eye(5, dtype=np.float32)[order]
        expected = np.linalg.matrix_power(a, 64) @ x.astype(np.float32)
        assert_close(submission.high_power(a.astype(dtype), x), expected.astype(dtype))


@pytest.mark.hint("Squarings are products of matrices. Are they cheaper for one vector?")
def test_one_vector_is_cheap(submission, rng):
    """One vector needs products with a vector only."""
    for n in (16, 40):
        a, x = matrix(rng, n), vector(rng, n)
        program = submission.high_power.program(a, x)
        check(program(a, x), a, x)
        # 65 products, and room for a few operations on vectors in each round.
        assert program.flops <= 65 * (2 * n**2 + 5 * n)


@pytest.mark.points(2)
@pytest.mark.hint("An argument that isn't batched comes to your rule without a batch axis.")
def test_each_argument_may_be_batched(submission, rng):
    """With any arguments batched, along any axis, each pair has its result."""
    f, n = submission.high_power, 3
    matrices = np.stack([matrix(rng, n) for _ in range(n)])
    vectors = vector(rng, n, n)
    a, x = matrices[0], vectors[0]
    check_all(f.vmap()(matrices, vectors), list(zip(matrices, vectors, strict=True)))
    check_all(f.vmap(in_axes=(None, 0))(a, vectors), [(a, x) for x in vectors])
    check_all(f.vmap(in_axes=(0, None))(matrices, x), [(a, x) for a in matrices])
    found = f.vmap(in_axes=(2, 1), out_axes=1)(np.moveaxis(matrices, 0, 2), vectors.T)
    check_all(found.T, list(zip(matrices, vectors, strict=True)))
    check_all(f.vmap(in_axes=(None, 1))(a, vectors.T), [(a, x) for x in vectors])
    check_all(f.vmap(in_axes=(None, 0))(a, vectors[:1]), [(a, x)])
    numbers = rng.integers(-9, 9, size=(n, n)).astype(np.float32)
    numbers[0] = 0
    powers = np.linalg.matrix_power(SPECIAL.astype(np.float64), 64)
    each = [numbers @ power.T for power in powers]
    for special, expected in zip(SPECIAL, each, strict=True):
        assert_close(f.vmap(in_axes=(None, 0))(special, numbers), expected, rtol=1e-5)
    own = [found[k] for k, found in enumerate(each)]
    assert_close(f.vmap()(SPECIAL, numbers), np.stack(own), rtol=1e-5)
    for k in (0, 2):
        shared = [found[k] for found in each]
        assert_close(f.vmap(in_axes=(0, None))(SPECIAL, numbers[k]), np.stack(shared), rtol=1e-5)
    # NaN stays in its vector.
    numbers[1, 1], each[2][1] = np.nan, np.nan
    found = f.vmap(in_axes=(None, 0))(SPECIAL[2], numbers)
    assert_close(found, each[2], rtol=1e-5, nonfinite=True)
    # A turn of the elements is exact in each dtype.
    turn, numbers = np.roll(np.eye(3), 1, axis=0), rng.integers(-9, 9, size=(2, 3))
    for dtype, axes in (
        (jnp.bfloat16, (None, 0)),
        (np.float16, (0, 0)),
        (jnp.bfloat16, (0, None)),
    ):
        a = turn if axes[0] is None else np.stack([turn, turn])
        x = numbers[0] if axes[1] is None else numbers
        found = f.vmap(in_axes=axes)(a.astype(dtype), x.astype(dtype))
        assert_close(found, np.roll(np.broadcast_to(x, (2, 3)), 1, axis=1).astype(dtype))


def many_jitted(high_power, a, x):
    return jax.vmap(jax.jit(high_power), in_axes=(None, 0))(a, jnp.tile(x, (65, 1)))


@pytest.mark.points(4)
@pytest.mark.hint("What does your rule compute once, and what for each vector of the batch?")
def test_many_vectors_share_the_squarings(submission, rng):
    """With one matrix, a batch needs few products of matrices, and one product for each vector."""
    used = submission.high_power.vmap(in_axes=(None, 0))

    def count_work(a, vectors, used=used, copies=1):
        program, count, n = used.program(a, vectors), copies * len(vectors), len(a)
        assert program.flops <= 8 * 2 * n**3 + 2 * count * 2 * n**2 + 20 * n**2
        check_all(program(a, vectors), [(a, x) for x in np.tile(vectors, (copies, 1))])

    # The squarings are worth it for few vectors, too.
    for n, count in ((24, 48), (24, 300), (24, 4), (3, 1), (64, 100)):
        count_work(matrix(rng, n), vector(rng, count, n))
    used = submission.high_power.used_by(many_jitted)
    count_work(matrix(rng, 64), vector(rng, 8, 64), used, copies=65)


@pytest.mark.hint("With a matrix for each vector, squarings cost more than the loop.")
def test_many_matrices_are_not_squared(submission, rng):
    """With a matrix for each vector, or for one vector, no matrix is squared."""
    for n, count, axis in ((40, 5, 0), (40, 5, None), (16, 3, 0), (16, 3, None)):
        matrices = np.stack([matrix(rng, n) for _ in range(count)])
        vectors = vector(rng, count, n)
        given = vectors[0] if axis is None else vectors
        program = submission.high_power.vmap(in_axes=(0, axis)).program(matrices, given)
        assert program.flops <= count * 65 * (2 * n**2 + 10 * n)
        pairs = [(a, x if axis == 0 else given) for a, x in zip(matrices, vectors, strict=True)]
        check_all(program(matrices, given), pairs)


def nested(high_power, a, x, outer, inner):
    return jax.vmap(jax.jit(jax.vmap(high_power, inner)), outer)(a, x)


@pytest.mark.hint("What your rule computes is batched by the outer `vmap` in the usual way.")
def test_a_batch_of_batches(submission, rng):
    """Under two `vmap`s, each matrix squares once for all its vectors."""
    used = submission.high_power.used_by(nested)
    # Each matrix has a batch of vectors. Then one matrix has all batches, which are small.
    for outer, n, batches, count in ((0, 16, 3, 60), (None, 40, 30, 2)):
        matrices = np.stack([matrix(rng, n) for _ in range(3)])
        a = matrices if outer == 0 else matrices[0]
        vectors = vector(rng, batches, count, n)
        program = used.program(a, vectors, (outer, 0), (None, 0))
        for_a_matrix, for_a_vector = 8 * 2 * n**3 + 20 * n**2, 2 * 2 * n**2
        assert program.flops <= a.size // n**2 * for_a_matrix + vectors.size // n * for_a_vector
        found = program(a, vectors, (outer, 0), (None, 0))
        for k, (batch, xs) in enumerate(zip(found, vectors, strict=True)):
            check_all(batch, [(matrices[k] if outer == 0 else a, x) for x in xs])
    # Each vector meets all matrices.
    n = 16
    matrices, vectors = np.stack([matrix(rng, n) for _ in range(3)]), vector(rng, 4, n)
    found = used(matrices, vectors, (None, 0), (0, None))
    for batch, x in zip(found, vectors, strict=True):
        check_all(batch, [(a, x) for a in matrices])
