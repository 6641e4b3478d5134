"""column_means(x, rows): a reduction over blocks, of which the last one sticks out.

The stub is a program that adds what stands outside the array.
"""

import math

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

from .kernels import kernels


def ask(means, x, rows):
    """The number of rows is known while JAX traces."""
    return means(x, rows)


def draw(rng, m, n):
    return (3 + rng.normal(size=(m, n))).astype(np.float32)


def check(submission, x, rows, **keywords):
    found = submission.column_means.used_by(ask).program(x, rows)(x, rows)
    assert_close(found, x.astype(np.float64).mean(axis=0), atol=1e-4, **keywords)


@pytest.mark.hint("Compute the means of two blocks of two rows by hand.")
def test_blocks_that_fit(submission, rng):
    """Where the rows of a block divide those of `x`, the means are right."""
    for shape, rows in (((6, 2), 3), ((5, 3), 1), ((4, 4), 4), ((96, 5), 16)):
        check(submission, draw(rng, *shape), rows)


@pytest.mark.points(4)
@pytest.mark.hint("Which rows does the last block have that `x` doesn't have?")
def test_the_last_block_sticks_out(submission, rng):
    """Where the last block has rows that `x` doesn't have, these don't count."""
    for shape, rows in (((7, 3), 2), ((9, 2), 4), ((65, 4), 16), ((5, 5), 3)):
        check(submission, draw(rng, *shape), rows)


@pytest.mark.points(2)
@pytest.mark.hint("How many blocks are there, and which row is the last one of `x`?")
def test_a_block_larger_than_all(submission, rng):
    """One block that is larger than `x` gives the means, also for a single row."""
    for shape, rows in (((3, 2), 8), ((1, 4), 3), ((2, 3), 100)):
        check(submission, draw(rng, *shape), rows)


@pytest.mark.hint("A number of `x` that is NaN belongs to the result. Which numbers don't?")
def test_nan_and_infinity_count(submission, rng):
    """NaN and infinity in a row of `x` show in the mean of their column, and in no other one."""
    x = draw(rng, 7, 4)
    x[6, 0], x[1, 1], x[4, 3] = np.nan, np.inf, -np.inf
    check(submission, x, 3, nonfinite=True)


def one_block(means, x, unused, rows):
    return means(x, rows)


@pytest.mark.hint("How much does the kernel get at a time?")
def test_one_kernel_gets_a_block_at_a_time(submission, rng):
    """There is one `pallas_call`, with a point for each block. A point gets one block."""
    for shape, rows, points in (((7, 3), 2, 4), ((8, 2), 4, 2)):
        x = draw(rng, *shape)
        check(submission, x, rows)
        found = submission.column_means.used_by(one_block).used_by(kernels).reported()(x, x, rows)
        assert len(found) == 1, f"The result needs {len(found)} kernels, and should need one."
        grid, sizes = found[0]
        assert math.prod(grid) == points, f"There are {points} blocks, and the grid is {grid}."
        most = rows * shape[1]
        assert sizes[-1] == most, f"A block has {most} numbers, and a point gets {sizes[-1]}."


@pytest.mark.hint("Under vmap, is each matrix cut by itself?")
def test_a_batch(submission, rng):
    """Under `vmap` and `jit`, each matrix of a batch has its means."""
    xs = np.stack([draw(rng, 5, 3) for _ in range(3)])
    used = submission.column_means.used_by(lambda means, xs: jax.vmap(lambda x: means(x, 2))(xs))
    with case("of three matrices"):
        assert_close(used.jit()(xs), xs.astype(np.float64).mean(axis=1), atol=1e-4)
