"""set_row(x, i, row): `x` with row `i` replaced, where `i` may be traced."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.judge import assert_close

WIDE = 70, 300


def normal(rng, *shape):
    """Numbers of both signs, from tiny to huge."""
    return (rng.normal(size=shape) * 10.0 ** rng.uniform(-8, 8, size=shape)).astype(np.float32)


def replaced(x, i, row):
    """NumPy's answer, made on a copy: an array that was passed to a submission is never changed."""
    expected = x.copy()
    expected[i] = row
    return expected


def check(result, x, i, row):
    """Nothing is computed, so every number has to be the same."""
    assert_close(result, replaced(x, i, row), rtol=0, atol=0, nonfinite=True)


@pytest.mark.visible
@pytest.mark.promise("a copy of the matrix `x` in which row `i` is `row`", "a Python int")
@pytest.mark.hint("Only row i may differ from x, and it has to hold exactly what `row` holds.")
def test_one_row_is_replaced(submission, rng):
    """Row i holds the new values and every other row is unchanged, whatever the shape."""
    for n, m in [(5, 4), (1, 4), (4, 1)]:
        x, i, row = normal(rng, n, m), int(rng.integers(n)), normal(rng, m)
        check(submission.set_row(x, i, row), x, i, row)


@pytest.mark.promise("the row to replace")
@pytest.mark.hint("In a square matrix a column fits as well as a row. Which axis does i index?")
def test_a_square_matrix_loses_a_row_and_no_column(submission, rng):
    """In a square matrix, too, row i is replaced, and not column i."""
    x, row = normal(rng, 4, 4), normal(rng, 4)
    for i in (0, 2, 3):
        check(submission.set_row(x, i, row), x, i, row)


@pytest.mark.promise("in which row `i` is `row`")
@pytest.mark.hint("Don't compute with the old entries: replace them.")
def test_nan_and_infinity_stay_in_their_row(submission, rng):
    """NaN and Inf in the old row are gone, and all others stay where they are."""
    x, row = normal(rng, 5, 4), normal(rng, 4)
    x[2, :3] = [np.nan, np.inf, -np.inf]
    x[0, 3], x[3, 1] = np.nan, -np.inf
    check(submission.set_row(x, 2, row), x, 2, row)
    row[1:3] = np.inf, np.nan
    check(submission.set_row(x, 4, row), x, 4, row)


@pytest.mark.promise(
    "x: [n, m], any dtype", "row: [m], the dtype of `x`", "[n, m], the dtype of `x`"
)
@pytest.mark.hint("Is there a place where integers become floats?")
def test_the_dtype_is_kept(submission, rng):
    """Integers, booleans and bfloat16 keep their dtype, and index 257 is none of these."""
    numbers, i = rng.integers(-(2**30), 2**30, size=(300, 4)), int(rng.choice([257, 259, 261]))
    kinds = (numbers.astype(np.int8), numbers.astype(np.int32), numbers > 0)
    for x in (*kinds, normal(rng, 300, 4).astype(jnp.bfloat16)):
        row = ~x[0] if x.dtype == np.bool_ else x[0] + x[i] + np.ones(4, x.dtype)
        check(submission.set_row(x, i, row), x, i, row)


@pytest.mark.points(3)
@pytest.mark.promise("must work when `i` is traced, under `jit`")
@pytest.mark.hint("Under jit i has no value yet: neither a slice nor a static argument can use it.")
def test_the_index_may_be_traced(submission, rng):
    """Under `jit` one program serves every index of a large matrix."""
    n, m = WIDE
    x, row = normal(rng, n, m), normal(rng, m)
    program = submission.set_row.jit().program(x, np.int32(0), row)
    for i in (0, 3, n - 1):
        check(program(x, np.int32(i), row), x, i, row)


def at_one(set_row, x, row):
    return set_row(x, 1, row)


@pytest.mark.points(2)
@pytest.mark.promise("and under `vmap`")
@pytest.mark.hint("Write it for one matrix, with JAX operations alone; vmap does the rest.")
def test_a_batch_can_be_set(submission, rng):
    """Under `vmap` each matrix gets its own row, or one matrix is updated at several indices.

    The index may be a Python int, while the matrices are traced.
    """
    xs, rows, i = normal(rng, 5, 3, 4), normal(rng, 5, 4), np.array([0, 2, 1, 2, 0], np.int32)
    each = np.stack([replaced(xs[b], i[b], rows[b]) for b in range(5)])
    assert_close(submission.set_row.vmap()(xs, i, rows), each)
    shared = np.stack([replaced(xs[0], i[b], rows[0]) for b in range(5)])
    assert_close(submission.set_row.vmap(in_axes=(None, 0, None))(xs[0], i, rows[0]), shared)
    same = np.stack([replaced(xs[b], 1, rows[b]) for b in range(5)])
    assert_close(submission.set_row.used_by(at_one).vmap()(xs, rows), same)


def with_input(set_row, x, i, row):
    return set_row(x, i, row), x


@pytest.mark.promise("a scalar int32 array", "The argument `x` stays unchanged")
@pytest.mark.hint("Return a new array, and keep nothing from one call to the next.")
def test_the_input_can_be_used_again(submission, rng):
    """Updates of one array don't affect it or each other, also if the index is an array."""
    x, first, second = normal(rng, 5, 4), normal(rng, 4), normal(rng, 4)
    # Live, since no program can give its input away.
    result, kept = submission.set_row.used_by(with_input).reported()(x, 1, first)
    check(result, x, 1, first)
    assert_close(kept, x, rtol=0, atol=0)
    check(submission.set_row(x, np.int32(2), second), x, 2, second)
    check(submission.set_row(x, np.int32(4), first), x, 4, first)
