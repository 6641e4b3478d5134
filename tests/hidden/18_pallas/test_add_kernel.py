"""add_kernel(x, bias, block): sums at all edges of blocks, and the grid that makes them.

The kernel is interpreted. So its program is a loop over the grid, whose rounds show in `flops`.
That it is a `pallas_call` is what the student's process says.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

from .kernels import kernels


def ask(add, x, bias, block):
    """The block is known while JAX traces."""
    return add(x, bias, block)


def program(submission, x, bias, block):
    return submission.add_kernel.used_by(ask).program(x, bias, block)


KNOWN = np.cos(np.arange(15, dtype=np.float32)).reshape(3, 5)


def batches(add, xs, biases):
    """A batch of both, and batches where one bias or one x is known."""
    with jax.ensure_compile_time_eval():
        x, bias = jnp.asarray(KNOWN), jnp.asarray(KNOWN[0])
    return (
        jax.vmap(lambda x, bias: add(x, bias, (2, 2)))(xs, biases),
        jax.vmap(lambda x: add(x, bias, (2, 2)))(xs),
        jax.vmap(lambda bias: add(x, bias, (2, 2)))(biases),
    )


def draw(rng, m, n, size=1.0):
    """Numbers and a bias of one size; no sum cancels."""
    x, bias = rng.uniform(1, 9, size=(m, n)), rng.uniform(1, 9, size=n)
    sign = size * rng.choice([-1, 1], size=n)
    return (x * sign).astype(np.float32), (bias * sign).astype(np.float32)


@pytest.mark.hint("Which part of the bias belongs to a block? And do your maps count blocks?")
def test_blocks_that_fit(submission, rng):
    """Where the block divides the shape, each number gets the bias of its column."""
    for shape, block, size in (
        ((4, 6), (2, 3), 1e-20),
        ((3, 8), (1, 2), 1e20),
        ((6, 2), (3, 2), 1),
        ((1, 1), (1, 1), 1),
    ):
        x, bias = draw(rng, *shape, size)
        assert_close(program(submission, x, bias, block)(x, bias), x + bias)


@pytest.mark.points(3)
@pytest.mark.hint("How many blocks of 3 are needed for 5 columns?")
def test_blocks_that_stick_out(submission, rng):
    """Every number is right where the last blocks are only partly used, or larger than all."""
    for shape, block in (
        ((5, 7), (2, 3)),
        ((7, 4), (3, 4)),
        ((2, 9), (2, 5)),
        ((3, 2), (4, 8)),
        ((1, 5), (1, 4)),
    ):
        x, bias = draw(rng, *shape)
        found = program(submission, x, bias, block)
        assert_close(found(x, bias), x + bias)
    for shape, block in (((70, 45), (32, 16)), ((1100, 2), (500, 2))):
        x, bias = draw(rng, *shape)
        assert_close(program(submission, x, bias, block)(x, bias), x + bias)


@pytest.mark.points(2)
@pytest.mark.hint("How many points has your grid, and how much of each array does one point get?")
def test_the_grid_has_a_point_for_each_block(submission, rng):
    """There is one `pallas_call`. Its grid has a point for each block, which gets no more."""
    for shape, block, count in (((5, 9), (2, 3), 9), ((8, 6), (4, 1), 12), ((3, 2), (9, 9), 1)):
        x, bias = draw(rng, *shape)
        assert_close(submission.add_kernel(x, bias, block), x + bias)
        found = submission.add_kernel.used_by(kernels).reported()(x, bias, block)
        assert [np.prod(grid) for grid, _ in found] == [count]
        assert all(largest <= np.prod(block) for _, largest in found)


@pytest.mark.points(3)
@pytest.mark.hint("What does the kernel read: one block, or the whole array?")
def test_each_point_works_on_one_block(submission, rng):
    """The program is a loop over blocks, and adds each number once."""
    x, bias = draw(rng, 32, 64)
    flops = []
    for block, count in (((4, 8), 64), ((8, 32), 8)):
        found = program(submission, x, bias, block)
        assert_close(found(x, bias), x + bias)
        assert "stablehlo.while" in found.operations
        # Some dozens of operations find the place of a block.
        assert found.flops < x.size + 300 * count
        flops.append(found.flops)
    # Each round counts itself at least.
    assert flops[0] - flops[1] >= 64 - 8


@pytest.mark.hint("Is the dtype of the result that of x, whatever it is?")
def test_any_dtype_and_batches(submission, rng):
    """Integers, half precision and numbers that aren't finite come through, and so do batches."""
    for dtype in (np.uint8, np.int8, np.float16, jnp.bfloat16):
        x = rng.integers(-128, 128, size=(3, 5)).astype(dtype)
        # 100 + 100 is -56 in int8.
        x[1:, 2] = 100
        found = program(submission, x, x[1], (2, 2))(x, x[1])
        assert_close(found, x + x[1])
    x = rng.integers(-(2**31), 2**31, size=(2, 3), dtype=np.int32)
    assert_close(program(submission, x, x[1], (2, 2))(x, x[1]), x + x[1])
    x, bias = draw(rng, 4, 5)
    x[0, 0], x[3, 4], x[2, 1], bias[3], bias[4] = np.nan, np.inf, -np.inf, np.nan, np.inf
    found = program(submission, x, bias, (3, 3))(x, bias)
    assert_close(found, x + bias, nonfinite=True)
    xs, biases = zip(*(draw(rng, 3, 5) for _ in range(4)), strict=True)
    xs, biases = np.stack(xs), np.stack(biases)
    found = submission.add_kernel.used_by(batches).jit()(xs, biases)
    expected = xs + biases[:, None], xs + KNOWN[0], KNOWN + biases[:, None]
    for part, right in zip(found, expected, strict=True):
        assert_close(part, right)
