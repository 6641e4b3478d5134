"""tiled_matmul(x, w, block): values, the dtype of the sum, and the grid of the kernel.

The kernel is interpreted. So its program is a loop over the grid, whose rounds show in `flops`.
That it is a `pallas_call` is what the student's process says.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

from .kernels import kernels


def ask(multiply, x, w, block):
    """The block is known while JAX traces."""
    return multiply(x, w, block)


def program(submission, x, w, block):
    return submission.tiled_matmul.used_by(ask).program(x, w, block)


def draw(rng, m, k, n):
    return (rng.normal(size=shape).astype(np.float32) for shape in ((m, k), (k, n)))


def check(found, x, w):
    # The interpreter fills new memory with NaN.
    unwritten = "There is NaN. Before the first round, a block of the result may hold anything"
    assert not np.isnan(np.asarray(found, np.float32)).any(), unwritten
    assert_close(found, x.astype(np.float64) @ w, atol=1e-4)


@pytest.mark.hint("Which block of x and which one of w does each point of the grid multiply?")
def test_one_block_along_the_sum(submission, rng):
    """Where one block holds the whole sum, the product is right for every cut of the result."""
    for shape, block in (
        ((4, 3, 6), (2, 3, 2)),
        ((2, 5, 8), (1, 5, 4)),
        ((6, 2, 3), (3, 2, 3)),
        ((1, 1, 1), (1, 1, 1)),
    ):
        x, w = draw(rng, *shape)
        check(program(submission, x, w, block)(x, w), x, w)


@pytest.mark.points(3)
@pytest.mark.hint("What does the block of the result hold in the first round, and in the next one?")
def test_several_blocks_along_the_sum(submission, rng):
    """Where the sum goes over several blocks, all of them are added, once, and nothing else."""
    for shape, block in (
        ((4, 6, 2), (2, 2, 2)),
        ((3, 8, 6), (3, 2, 2)),
        ((2, 9, 2), (1, 3, 1)),
        ((8, 60, 40), (4, 20, 20)),
    ):
        x, w = draw(rng, *shape)
        check(program(submission, x, w, block)(x, w), x, w)


@pytest.mark.points(2)
@pytest.mark.hint("In which dtype is the product of two blocks, and in which one is the sum?")
def test_sums_are_float32(submission, rng):
    """Products and sums of matrices in half precision are float32."""
    for dtype, odd in ((jnp.bfloat16, 129), (np.float16, 1025)):
        with case(f"for {np.dtype(dtype).name}", hint="Which dtype has `x_ref[...] @ w_ref[...]`?"):
            # The dtype holds these numbers. Only float32 holds their products and sums, too.
            x = rng.integers(-15, 16, size=(4, 24)).astype(dtype)
            w = (rng.integers(1, 16, size=(24, 2)) * 2 + odd).astype(dtype)
            exact = (x.astype(np.float64) @ w.astype(np.float64)).astype(np.float32)
            for inner in (1, 6, 24):
                found = program(submission, x, w, (2, inner, 2))(x, w)
                assert_close(found, exact, rtol=0, atol=0.25)


@pytest.mark.points(2)
@pytest.mark.hint("How many products of blocks are there, and how much of `w` does each point get?")
def test_the_grid_has_a_point_for_each_product(submission, rng):
    """The only `pallas_call` has a point for each product of blocks, and the sum comes last."""
    for shape, block, points, rounds in (
        ((4, 6, 2), (2, 2, 1), 12, 3),
        ((3, 4, 5), (3, 2, 5), 2, 2),
    ):
        x, w = draw(rng, *shape)
        found = submission.tiled_matmul.used_by(kernels).reported()(x, w, block)
        assert len(found) == 1, f"The result needs {len(found)} kernels, and should need one."
        grid, sizes = found[0]
        assert math.prod(grid) == points, f"There are {points} products, and the grid is {grid}."
        assert grid[-1] == rounds, f"Each sum has {rounds} products, and the grid is {grid}."
        rows, inner, columns = block
        most = max(rows * inner, inner * columns, rows * columns)
        assert sizes[-1] <= most, f"A block has {most} numbers, and a point gets {sizes[-1]}."
        assert len(sizes) >= 3, f"The kernel uses {len(sizes)} blocks, and each matrix has one."


@pytest.mark.hint("Does each point of the grid multiply two blocks, or more than that?")
def test_each_round_multiplies_two_blocks(submission, rng):
    """The program is a loop over products of blocks, and does all products once."""
    m, k, n = 32, 48, 32
    x, w = draw(rng, m, k, n)
    for block, rounds in (((16, 12, 16), 16), ((16, 48, 16), 4)):
        rows, _, columns = block
        found = program(submission, x, w, block)
        assert "stablehlo.while" in found.operations
        # Each round adds a block, may set it to 0, and finds the places of blocks.
        assert found.flops < 2 * m * n * k + rounds * (6 * rows * columns + 300)
        assert found.flops >= 2 * m * n * k + rounds * rows * columns, "Blocks aren't added up."
        check(found(x, w), x, w)


def batches(multiply, xs, ws):
    """A batch of both, and batches where there is one w or one x."""

    def one(x, w):
        return multiply(x, w, (2, 3, 1))

    return (
        jax.vmap(one)(xs, ws),
        jax.vmap(one, (0, None))(xs, ws[0]),
        jax.vmap(one, (None, 0))(xs[0], ws),
    )


def test_details(submission, rng):
    """It works under `jit` and `vmap`, and the details hold."""
    pairs = [draw(rng, 4, 6, 2) for _ in range(3)]
    xs, ws = map(np.stack, zip(*pairs, strict=True))
    both, one_w, one_x = submission.tiled_matmul.used_by(batches).jit()(xs, ws)
    with case("for a batch of both", hint="Each matrix x has its own w."):
        check(both, xs, ws)
    with case("for one w", hint="All matrices of a batch are multiplied by the same w."):
        check(one_w, xs, ws[0])
    with case("for one x", hint="The same x is multiplied by several matrices."):
        check(one_x, xs[0], ws)
    with case("where x or w has NaN", hint="Does each product of two blocks count, and only once?"):
        x, w = draw(rng, 4, 6, 4)
        x[:2, 2:4], x[0, 1], x[2, 5], w[3, 1], w[4, 3] = 0, np.nan, np.inf, -np.inf, np.nan
        with np.errstate(invalid="ignore"):
            expected = x.astype(np.float64) @ w.astype(np.float64)
        found = program(submission, x, w, (2, 2, 2))(x, w)
        assert_close(found, expected, nonfinite=True, atol=1e-5)
