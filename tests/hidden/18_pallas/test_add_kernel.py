"""add_kernel(x, bias, block): sums at all edges of blocks, and the grid that makes them.

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


def ask(add, x, bias, block):
    """The block is known while JAX traces."""
    return add(x, bias, block)


def program(submission, x, bias, block):
    return submission.add_kernel.used_by(ask).program(x, bias, block)


def draw(rng, *shape):
    x, bias = rng.normal(size=shape), rng.normal(size=shape[-1])
    return x.astype(np.float32), bias.astype(np.float32)


@pytest.mark.hint("Which part of the bias belongs to a block? And do your maps count blocks?")
def test_blocks_that_fit(submission, rng):
    """Where the block divides the shape, each number gets the bias of its column."""
    for shape, block in (((4, 6), (2, 3)), ((3, 8), (1, 2)), ((6, 2), (3, 2)), ((1, 1), (1, 1))):
        x, bias = draw(rng, *shape)
        assert_close(program(submission, x, bias, block)(x, bias), x + bias)


@pytest.mark.points(2)
@pytest.mark.hint("How many blocks of 3 are needed for 5 columns?")
def test_blocks_that_stick_out(submission, rng):
    """Every number is right where the last blocks are only partly used, or larger than all."""
    for shape, block in (
        ((5, 7), (2, 3)),
        ((7, 4), (3, 4)),
        ((2, 9), (2, 5)),
        ((3, 2), (4, 8)),
        ((70, 45), (32, 16)),
    ):
        x, bias = draw(rng, *shape)
        assert_close(program(submission, x, bias, block)(x, bias), x + bias)


@pytest.mark.points(2)
@pytest.mark.hint("How many points has your grid, and how much of each array does one point get?")
def test_the_grid_has_a_point_for_each_block(submission, rng):
    """There is one `pallas_call`. Its grid has a point for each block, which gets no more."""
    # The last one is a program of the next test, which has room for no work beside the kernel.
    for shape, block, count in (
        ((5, 9), (2, 3), 9),
        ((3, 2), (9, 9), 1),
        ((64, 128), (16, 32), 16),
    ):
        x, bias = draw(rng, *shape)
        found = submission.add_kernel.used_by(kernels).reported()(x, bias, block)
        assert len(found) == 1, f"The result needs {len(found)} kernels, and should need one."
        grid, sizes = found[0]
        assert math.prod(grid) == count, f"The result has {count} blocks, and the grid is {grid}."
        assert sizes[-1] <= math.prod(block), (
            f"For blocks of {block}, a point gets {sizes[-1]} numbers."
        )
        assert len(sizes) >= 3, f"The kernel uses {len(sizes)} blocks, and each array has one."


@pytest.mark.points(3)
@pytest.mark.hint("What does the kernel read: one block, or the whole array?")
def test_each_point_works_on_one_block(submission, rng):
    """The program is a loop over blocks, and adds each number once."""
    x, bias = draw(rng, 64, 128)
    for block in ((16, 32), (64, 8)):
        found = program(submission, x, bias, block)
        assert "stablehlo.while" in found.operations
        # Some dozens of operations find the place of a block.
        assert x.size + 5 * 16 < found.flops < x.size + 300 * 16
        assert_close(found(x, bias), x + bias)


def batches(add, xs, biases):
    """A batch of both, and batches where there is one bias or one matrix."""

    def one(x, bias):
        return add(x, bias, (2, 2))

    return (
        jax.vmap(one)(xs, biases),
        jax.vmap(one, (0, None))(xs, biases[0]),
        jax.vmap(one, (None, 0))(xs[0], biases),
    )


@pytest.mark.hint("Write it for one matrix, with JAX operations alone; vmap does the rest.")
def test_a_batch(submission, rng):
    """Under `jit` and `vmap`, each matrix of a batch gets its own bias."""
    xs, biases = rng.normal(size=(2, 4, 3, 5)).astype(np.float32)
    biases = biases[:, 0]
    both, one_bias, one_x = submission.add_kernel.used_by(batches).jit()(xs, biases)
    with case("for a batch of both", hint="Each matrix has its own bias."):
        assert_close(both, xs + biases[:, None])
    with case("for one bias", hint="The same bias is added to all matrices."):
        assert_close(one_bias, xs + biases[0])
    with case("for one matrix", hint="The same matrix gets several biases."):
        assert_close(one_x, xs[0] + biases[:, None])


def test_details(submission, rng):
    """The dtype is that of `x`, and the details hold."""
    for dtype in (np.int8, np.uint8, np.int32, jnp.bfloat16):
        with case(f"for {np.dtype(dtype).name}", hint="Which dtype has each of your arrays?"):
            x = rng.integers(-128, 128, size=(4, 6)).astype(dtype)
            # 100 + 100 is -56 in int8.
            x[1:, 2] = 100
            assert_close(program(submission, x, x[1], (2, 3))(x, x[1]), x + x[1])
