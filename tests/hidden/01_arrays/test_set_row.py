"""set_row(x, i, row): `x` with row `i` replaced, where `i` may be traced.

Nothing is computed, so every number has to be the same.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def replaced(x, i, row):
    """NumPy's answer, made on a copy: an array that was passed to a submission is never changed."""
    expected = x.copy()
    expected[i] = row
    return expected


@pytest.mark.hint("Only row i may differ from x, and it must contain exactly what `row` contains.")
def test_one_row_is_replaced(submission, rng):
    """Row i holds the new values, and every other row is unchanged."""
    for n, m in ((5, 4), (1, 4), (4, 1)):
        x, i, row = draw(rng, n, m), int(rng.integers(n)), draw(rng, m)
        assert_close(submission.set_row(x, i, row), replaced(x, i, row), rtol=0, atol=0)


@pytest.mark.hint("In a square matrix, a column fits as well as a row. Which axis does i index?")
def test_a_square_matrix_loses_a_row_and_no_column(submission, rng):
    """In a square matrix, row i is also replaced, and not column i."""
    x, row = draw(rng, 4, 4), draw(rng, 4)
    for i in (0, 2, 3):
        assert_close(submission.set_row(x, i, row), replaced(x, i, row), rtol=0, atol=0)


@pytest.mark.hint("Which of your lines creates an array with its own dtype?")
def test_the_dtype_is_kept(submission, rng):
    """The result has the dtype of `x`, and values that fit into it."""
    whole = rng.integers(-100, 100, size=(300, 4)).astype(np.int8)
    cases = {
        "for int8": whole,
        # Not each of these numbers can be a float32.
        "for int32": rng.integers(-(2**31), 2**31, size=(5, 4)).astype(np.int32),
        "for booleans": rng.permuted(np.tile([True, True, False, False], (9, 1)), axis=1),
        "for bfloat16": draw(rng, 300, 4).astype(jnp.bfloat16),
        "for complex numbers": draw(rng, 5, 4) + 1j * draw(rng, 5, 4),
    }
    for name, x in cases.items():
        with case(name, hint="Does your program compute with the numbers, or only copy them?"):
            i, row = len(x) - 3, ~x[-3] if x.dtype == np.bool_ else x[0] + x[1]
            assert_close(submission.set_row(x, i, row), replaced(x, i, row), rtol=0, atol=0)


@pytest.mark.points(3)
@pytest.mark.hint(
    "Under jit, i has no value yet: neither a slice nor a static argument can use it."
)
def test_the_index_may_be_traced(submission, rng):
    """Under `jit`, one program serves every index."""
    x, row = draw(rng, 6, 2), draw(rng, 2)
    program = submission.set_row.jit().program(x, np.int32(0), row)
    for i in range(len(x)):
        assert_close(program(x, np.int32(i), row), replaced(x, i, row), rtol=0, atol=0)


@pytest.mark.points(2)
@pytest.mark.hint("Write it for one matrix, using only JAX operations; vmap does the rest.")
def test_a_batch_can_be_set(submission, rng):
    """Under `vmap`, each matrix gets its own row, or one matrix is updated in several ways."""
    xs, rows, i = draw(rng, 5, 3, 4), draw(rng, 5, 4), np.array([0, 2, 1, 2, 0], np.int32)
    with case("for a batch of matrices", hint="Each matrix has its own index and its own row."):
        expected = np.stack([replaced(xs[b], i[b], rows[b]) for b in range(5)])
        assert_close(submission.set_row.vmap()(xs, i, rows), expected, rtol=0, atol=0)
    with case("for a batch of indices", hint="The index is traced: does each line allow this?"):
        expected = np.stack([replaced(xs[0], i[b], rows[0]) for b in range(5)])
        found = submission.set_row.vmap(in_axes=(None, 0, None))(xs[0], i, rows[0])
        assert_close(found, expected, rtol=0, atol=0)
    with case("for a batch of rows", hint="The row is traced: does each line allow this?"):
        expected = np.stack([replaced(xs[0], 1, rows[b]) for b in range(5)])
        found = submission.set_row.vmap(in_axes=(None, None, 0))(xs[0], 1, rows)
        assert_close(found, expected, rtol=0, atol=0)


def with_input(set_row, x, i, row):
    return set_row(x, i, row), x


@pytest.mark.hint("Return a new array, and keep nothing from one call to the next.")
def test_the_input_can_be_used_again(submission, rng):
    """Updates of one array affect neither it nor each other."""
    x, first, second = draw(rng, 5, 4), draw(rng, 4), draw(rng, 4)
    # Live, since no program can give its input away.
    result, kept = submission.set_row.used_by(with_input).reported()(x, 1, first)
    assert_close(result, replaced(x, 1, first), rtol=0, atol=0)
    assert_close(kept, x, rtol=0, atol=0)
    assert_close(submission.set_row(x, 2, second), replaced(x, 2, second), rtol=0, atol=0)


def test_details(submission, rng):
    """It works with NaN in the old row, with NaN in other rows, and for many rows."""
    x, row = draw(rng, 5, 4), draw(rng, 4)
    with case("with NaN in the old row", hint="Don't compute with the old entries: replace them."):
        x[2, :3] = np.nan, np.inf, -np.inf
        assert_close(submission.set_row(x, 2, row), replaced(x, 2, row), rtol=0, atol=0)
    with case("with NaN in other rows", hint="Is each other row copied, or computed?"):
        found = submission.set_row(x, 3, row)
        assert_close(found, replaced(x, 3, row), rtol=0, atol=0, nonfinite=True)
    with case("for many rows", hint="Does your program treat each row separately?"):
        x = draw(rng, 180, 4)
        program = submission.set_row.jit().program(x, np.int32(0), row)
        assert program.size < 180
        assert_close(program(x, np.int32(99), row), replaced(x, 99, row), rtol=0)
