"""tiled_matmul(x, w, block): values, the dtype of the sum, and the grid of the kernel.

The kernel is interpreted. So its program is a loop over the grid, whose rounds show in `flops`.
That it is a `pallas_call` is what the student's process says.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

from .kernels import kernels


def ask(multiply, x, w, block):
    """The block is known while JAX traces."""
    return multiply(x, w, block)


def program(submission, x, w, block):
    return submission.tiled_matmul.used_by(ask).program(x, w, block)


KNOWN = np.cos(np.arange(36, dtype=np.float32))
KNOWN = KNOWN[:24].reshape(4, 6), KNOWN[24:].reshape(6, 2)


def batches(multiply, xs, ws):
    """A batch of both, and batches where one w or one x is known."""
    with jax.ensure_compile_time_eval():
        x, w = map(jnp.asarray, KNOWN)

    def run(x, w):
        return multiply(x, w, (2, 3, 1))

    return (
        jax.vmap(run)(xs, ws),
        jax.vmap(run, (0, None))(xs, w),
        jax.vmap(run, (None, 0))(x, ws),
    )


def draw(rng, m, k, n, sizes=(1, 1)):
    x, w = sizes[0] * rng.normal(size=(m, k)), sizes[1] * rng.normal(size=(k, n))
    return x.astype(np.float32), w.astype(np.float32)


def check(found, x, w):
    """Rounding errors are relative to the sums of sizes."""
    x, w = x.astype(np.float64), w.astype(np.float64)
    assert_close(found, x @ w, atol=4e-6 * (abs(x) @ abs(w)).max())


@pytest.mark.hint("Which block of x and which one of w does each point of the grid multiply?")
def test_one_block_along_the_sum(submission, rng):
    """Where one block holds the whole sum, the product is right for every cut of the result."""
    for shape, block, sizes in (
        ((4, 3, 6), (2, 3, 2), (1e20, 1e-20)),
        ((2, 5, 8), (1, 5, 4), (1e-20, 1e20)),
        ((6, 2, 3), (3, 2, 3), (1e-15, 1e-15)),
        ((1, 1, 1), (1, 1, 1), (1e15, 1e15)),
        ((1100, 2, 3), (275, 2, 3), (1, 1)),
    ):
        x, w = draw(rng, *shape, sizes)
        check(program(submission, x, w, block)(x, w), x, w)


@pytest.mark.points(3)
@pytest.mark.hint("What does the block of the result hold before the first round of each sum?")
def test_several_blocks_along_the_sum(submission, rng):
    """Where the sum goes over several blocks, all of them are added, once, and nothing else."""
    for shape, block in (((4, 6, 2), (2, 2, 2)), ((3, 8, 6), (3, 2, 2)), ((2, 9, 2), (1, 3, 1))):
        x, w = draw(rng, *shape)
        check(program(submission, x, w, block)(x, w), x, w)
    # Large blocks.
    x, w = draw(rng, 8, 280, 140)
    check(program(submission, x, w, (4, 140, 140))(x, w), x, w)
    xs, ws = zip(*(draw(rng, 4, 6, 2) for _ in range(3)), strict=True)
    xs, ws = np.stack(xs), np.stack(ws)
    found = submission.tiled_matmul.used_by(batches).jit()(xs, ws)
    x, w = KNOWN
    for part, given in zip(found, ((xs, ws), (xs, w), (x, ws)), strict=True):
        check(part, *given)


@pytest.mark.points(2)
@pytest.mark.hint("In which dtype is the product of two blocks, and in which one is the sum?")
def test_sums_are_float32(submission, rng):
    """Products and sums of half precision lose no digits, and what isn't finite stays."""
    for dtype, odd, size in ((jnp.bfloat16, 129, 2.0**50), (np.float16, 1025, 1)):
        # Such sums are exact in float32, and too long for half precision. The numbers of bfloat16
        # are too large and too small for float16, and those of float16 are too long for bfloat16.
        x = (rng.integers(-15, 16, size=(4, 24)) * size).astype(dtype)
        w = ((rng.integers(1, 16, size=(24, 2)) * 2 + odd) / size).astype(dtype)
        exact = (x.astype(np.float64) @ w.astype(np.float64)).astype(np.float32)
        for inner in (1, 6, 24):
            found = program(submission, x, w, (2, inner, 2))(x, w)
            assert_close(found, exact, rtol=0, atol=0.25)
    x, w = draw(rng, 4, 6, 4)
    x[0, 1], x[2, 5], w[3, 1], w[4, 3] = np.nan, np.inf, -np.inf, np.nan
    with np.errstate(invalid="ignore"):
        expected = x.astype(np.float64) @ w.astype(np.float64)
    found = program(submission, x, w, (2, 2, 2))(x, w)
    assert_close(found, expected, nonfinite=True, atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("How many products of blocks are there, and how much of `w` does each point get?")
def test_the_grid_has_a_point_for_each_product(submission, rng):
    """The only `pallas_call` has a point for each product of blocks, and the sum comes last."""
    for shape, block, points, rounds in (
        ((4, 6, 2), (2, 2, 1), 12, 3),
        ((3, 4, 5), (3, 2, 5), 2, 2),
    ):
        x, w = draw(rng, *shape)
        check(submission.tiled_matmul(x, w, block), x, w)
        found = submission.tiled_matmul.used_by(kernels).reported()(x, w, block)
        assert [(np.prod(grid), grid[-1]) for grid, _ in found] == [(points, rounds)]
        rows, inner, columns = block
        largest = max(rows * inner, inner * columns, rows * columns)
        assert all(size <= largest for _, size in found)


@pytest.mark.points(2)
@pytest.mark.hint("Does each point of the grid multiply two blocks, or more than that?")
def test_the_work_is_that_of_one_product(submission, rng):
    """The program is a loop over products of blocks, and does all products once."""
    m, k, n = 32, 48, 32
    x, w = draw(rng, m, k, n)
    for block in ((16, 16, 16), (8, 24, 16)):
        rows, inner, columns = block
        found = program(submission, x, w, block)
        check(found(x, w), x, w)
        assert "stablehlo.while" in found.operations
        rounds = (m // rows) * (k // inner) * (n // columns)
        # Each round adds a block, may set it to 0, and finds the places of blocks.
        assert found.flops < 2 * m * n * k + rounds * (6 * rows * columns + 300)
