"""hamming_matrix(A, B): the number of places where each row of A and each row of B differ.

Entries are drawn from a few values, so that rows agree in some places and differ in others.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n, m, d):
    return tuple(rng.integers(0, 5, size=(rows, d)).astype(np.int32) for rows in (n, m))


def distances(A, B):
    """NumPy's answer, from one comparison of all pairs."""
    return (A[:, None, :] != B[None, :, :]).sum(axis=-1).astype(np.int32)


@pytest.mark.hint("Entry (i, j) belongs to row i of A and row j of B, and counts the differences.")
def test_every_pair_has_its_distance(submission, rng):
    """Entry (i, j) counts the places where row i of A and row j of B differ."""
    for n, m, d in ((3, 5, 6), (7, 2, 9)):
        A, B = draw(rng, n, m, d)
        assert_close(submission.hamming_matrix(A, B), distances(A, B))


@pytest.mark.points(3)
@pytest.mark.hint("When all lengths are equal, only the numbers show which axis is which.")
def test_nothing_is_mixed_up_when_every_shape_fits(submission, rng):
    """With as many rows as columns in both sets, each pair still gets its own distance."""
    # All entries of B differ, and A has its rows in another order: each wrong map shows.
    B = rng.permutation(16).reshape(4, 4).astype(np.int32)
    A = np.roll(B, int(rng.integers(1, 4)), axis=0)
    for row, changes in enumerate(rng.permutation(4)):
        A[row, :changes] = -1 - row
    assert_close(submission.hamming_matrix(A, B), distances(A, B))


@pytest.mark.hint("Does one of your operations drop axes of length 1?")
def test_a_set_of_one_row_keeps_both_axes(submission, rng):
    """A set of one row still gives a matrix."""
    for n, m, d in ((1, 5, 6), (3, 1, 4)):
        A, B = draw(rng, n, m, d)
        assert_close(submission.hamming_matrix(A, B), distances(A, B))


@pytest.mark.hint("Ask whether two entries differ, not by how much, and don't convert them first.")
def test_floats_are_compared_as_they_are(submission, rng):
    """Floats differ if they are not equal, even by a fraction."""
    values = np.float32([0, 0.125, 0.25, 1, 1.5, -1, -1.5, 300])
    A, B = (rng.choice(values, size=(rows, 20)) for rows in (3, 5))
    assert_close(submission.hamming_matrix(A, B), distances(A, B))


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop adds a copy of its body to the program for each round.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 240 strings, on either side, has fewer operations than strings."""
    for n, m in ((240, 3), (3, 240)):
        A, B = draw(rng, n, m, 5)
        program = submission.hamming_matrix.program(A, B)
        assert program.size < 240
        assert_close(program(A, B), distances(A, B))


def test_details(submission, rng):
    """It works for a set of no rows, and for entries of each kind, including NaN."""
    with case("for a set of no rows", hint="Do you stack a list? It would be empty."):
        for n, m in ((0, 5), (3, 0)):
            A, B = draw(rng, n, m, 6)
            assert_close(submission.hamming_matrix(A, B), distances(A, B))
    with case("for booleans", hint="Booleans have no difference. What else can you check?"):
        A, B = (rows < 2 for rows in draw(rng, 3, 5, 6))
        assert_close(submission.hamming_matrix(A, B), distances(A, B))
    with case("for large integers", hint="Do you convert the entries? Some lose their digits."):
        A, B = (2**30 + rows for rows in draw(rng, 3, 5, 6))
        assert_close(submission.hamming_matrix(A, B), distances(A, B))
    for name, dtype in (("bytes", np.uint8), ("half precision", np.float16)):
        with case(f"for long rows of {name}", hint="Which dtype is your count?"):
            # Odd, so that half precision has no such number.
            A, B = (rows.astype(dtype) for rows in draw(rng, 3, 5, 5001))
            B[0] = A[0] + 1
            assert_close(submission.hamming_matrix(A, B), distances(A, B))
    with case("where an entry is NaN", hint="What do `!=`, `<` and `>` say about NaN?"):
        A = rng.choice(np.float32([0, 1, np.nan]), size=(4, 50))
        assert_close(submission.hamming_matrix(A, A), distances(A, A))
    with case("for 0.0 and -0.0, and infinite numbers", hint="Do you compare bits, or subtract?"):
        A, B = (rng.choice(np.float32([0, -0.0, np.inf, -np.inf]), size=(n, 50)) for n in (3, 5))
        assert_close(submission.hamming_matrix(A, B), distances(A, B))
