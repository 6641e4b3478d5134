"""hamming_matrix(A, B): the number of places where each row of A and each row of B differ.

Entries are drawn from a few values, so that rows agree in some places and differ in others.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

from .calls import each


def draw(rng, n, m, d):
    return tuple(rng.integers(0, 5, size=(rows, d)).astype(np.int32) for rows in (n, m))


def distances(A, B):
    """NumPy's answer, from one comparison of all pairs."""
    return (A[:, None, :] != B[None, :, :]).sum(axis=-1).astype(np.int32)


@pytest.mark.hint("Entry (i, j) belongs to row i of A and row j of B, and counts the differences.")
def test_every_pair_has_its_distance(submission, rng):
    """Entry (i, j) counts the places where row i of A and row j of B differ."""
    A, B = draw(rng, 3, 5, 6)
    assert_close(submission.hamming_matrix(A, B), distances(A, B))


@pytest.mark.points(3)
@pytest.mark.hint("When all lengths are equal, only the numbers show which axis is which.")
def test_nothing_is_mixed_up_when_every_shape_fits(submission, rng):
    """With as many rows as columns in both sets, each pair still gets its own distance."""
    # All entries of B differ, and A has its rows in another order: each wrong map shows.
    B = rng.permutation(16).reshape(4, 4).astype(np.int32)
    A = B[[1, 2, 3, 0]]
    A[0, 0], A[1, :2], A[2, 1:] = -1, -2, -3
    assert_close(submission.hamming_matrix(A, B), distances(A, B))


@pytest.mark.hint("Does one of your operations drop axes of length 1, or need at least one row?")
def test_small_sets_keep_both_axes(submission, rng):
    """A set of one row, or of none, still gives a matrix."""
    pairs = [draw(rng, *shape) for shape in [(1, 5, 6), (3, 1, 1), (0, 5, 6), (3, 0, 6)]]
    found = submission.hamming_matrix.used_by(each).jit()(pairs)
    assert_close(found, [distances(A, B) for A, B in pairs])


@pytest.mark.hint("Ask whether two entries differ, not by how much, and don't convert them first.")
def test_entries_of_any_dtype_are_compared(submission, rng):
    """Booleans, small and large integers, and floats differ if they are not equal."""
    powers = 2 ** np.arange(31, dtype=np.int32)
    special = [0, -0.0, 1, np.inf, -np.inf, np.nan]
    for values in (
        np.array([False, True]),
        np.uint8([0, 1, 127, 128, 255]),
        # Some pairs differ in one bit alone, and some by one.
        np.concatenate([[0, -1], powers, powers[1:] - 1]).astype(np.int32),
        np.float32([0, 1e-30, 2e-30, 0.125, 0.25, 1, 1.0000001, -1, 1e30, 1.0000001e30]),
        *(np.array(special, dtype) for dtype in (np.float16, jnp.bfloat16, np.float32)),
    ):
        A = rng.choice(values, size=(3, 200))
        B = rng.permuted(A[[2, 1, 0, 1, 2]], axis=0)
        B[:, ::2] = rng.choice(values, size=(5, 100))
        assert_close(submission.hamming_matrix(A, B), distances(A, B))
    # With NaN in it, a row differs from itself.
    assert_close(submission.hamming_matrix(A, A), distances(A, A))


@pytest.mark.hint("What is the largest number that the dtype of your count can hold?")
def test_long_rows_are_counted_in_full(submission, rng):
    """Rows of thousands of entries, in bytes or in floats, have distances of thousands."""
    for dtype in (np.uint8, np.float16):
        # Odd, so that half precision has no such number.
        A, B = (rows.astype(dtype) for rows in draw(rng, 3, 5, 5001))
        B[0] = A[0] + 1
        assert_close(submission.hamming_matrix(A, B), distances(A, B))


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop puts a copy of its body into the program for each round.")
def test_the_program_does_not_grow(submission, rng):
    """The program for thousands of pairs is as small as the one for six."""
    shapes = (3, 2), (300, 20)
    programs = [submission.hamming_matrix.program(*draw(rng, n, m, 5)) for n, m in shapes]
    # A factor of 2, since loops over blocks of rows are right, too.
    assert programs[1].size <= 2 * programs[0].size
    # A small program can be made as big as a big one. But no loop over the rows fits in here.
    assert programs[1].size < 100
    for program, (n, m) in zip(programs, shapes, strict=True):
        A, B = draw(rng, n, m, 5)
        assert_close(program(A, B), distances(A, B))
    # Nor a Python loop over blocks of rows.
    A, B = draw(rng, 100_000, 2, 5)
    for n in (1000, 100_000):
        for some in ((A[:n], B), (B, A[:n])):
            program = submission.hamming_matrix.program(*some)
            assert program.size <= 2 * programs[0].size
            assert_close(program(*some), distances(*some))
    pairs = [draw(rng, n, m, 5) for n, m in ((1100, 2), (2, 1100))]
    found = submission.hamming_matrix.used_by(each).jit()(pairs)
    assert_close(found, [distances(A, B) for A, B in pairs])
