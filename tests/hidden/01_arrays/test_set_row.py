"""set_row(x, i, row): `x` with row `i` replaced, where `i` may be traced."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

LONG = 70_000


def normal(rng, *shape):
    """Numbers of both signs, from tiny to huge."""
    return (rng.normal(size=shape) * 10.0 ** rng.uniform(-8, 8, size=shape)).astype(np.float32)


def replaced(x, i, row):
    """NumPy's answer, made on a copy: an array that was passed to a submission is never changed."""
    expected = x.copy()
    expected[i] = row
    return expected


def signs(x):
    """Where there is a minus: 0 and -0 are equal numbers. NaN has no sign."""
    return np.signbit(x) & ~np.isnan(x)


def check(result, x, i, row):
    """Nothing is computed, so every number has to be the same."""
    expected = replaced(x, i, row)
    assert_close(result, expected, rtol=0, atol=0, nonfinite=True)
    if np.issubdtype(x.dtype, np.floating):
        assert_close(signs(result), signs(expected))


@pytest.mark.hint("Only row i may differ from x, and it has to hold exactly what `row` holds.")
def test_one_row_is_replaced(submission, rng):
    """Row i holds the new values and every other row is unchanged, whatever the shape."""
    for n, m in [(5, 4), (1, 4), (4, 1)]:
        x, i, row = normal(rng, n, m), int(rng.integers(n)), normal(rng, m)
        check(submission.set_row(x, i, row), x, i, row)


@pytest.mark.hint("In a square matrix a column fits as well as a row. Which axis does i index?")
def test_a_square_matrix_loses_a_row_and_no_column(submission, rng):
    """In a square matrix, too, row i is replaced, and not column i."""
    x, row = normal(rng, 4, 4), normal(rng, 4)
    for i in (0, 2, 3):
        check(submission.set_row(x, i, row), x, i, row)


@pytest.mark.hint("Don't compute with the old entries: replace them.")
def test_nan_and_infinity_stay_in_their_row(submission, rng):
    """NaN and Inf in the old row are gone, all others stay; -0 and the tiniest numbers, too."""
    x, row = normal(rng, 5, 4), normal(rng, 4)
    x[0, 0], x[4, 2], row[0] = -0.0, 1e-42, -0.0
    x[2, :3] = [np.nan, np.inf, -np.inf]
    x[0, 3], x[3, 1] = np.nan, -np.inf
    check(submission.set_row(x, 2, row), x, 2, row)
    row[1:] = np.inf, np.nan, -1e-42
    check(submission.set_row(x, 3, row), x, 3, row)


@pytest.mark.hint("Is there a place where integers become floats?")
def test_the_dtype_is_kept(submission, rng):
    """Integers, booleans, half precision and complex numbers are kept; 257 fits in few of them."""
    numbers, i = rng.integers(-(2**31), 2**31, size=(300, 4)), int(rng.choice([257, 259, 261]))
    integers = (numbers.astype(dtype) for dtype in (np.int8, np.uint32))
    half, whole = normal(rng, 300, 4).astype(jnp.bfloat16), normal(rng, 300, 4)
    for x in (*integers, numbers > 0, half, whole + 1j * whole[::-1]):
        row = ~x[0] if x.dtype == np.bool_ else x[0] + x[i] + np.ones(4, x.dtype)
        check(submission.set_row(x, i, row), x, i, row)


@pytest.mark.points(3)
@pytest.mark.hint("Under jit i has no value yet: neither a slice nor a static argument can use it.")
def test_the_index_may_be_traced(submission, rng):
    """Under `jit` one program, no larger for more rows, serves every index of a large matrix."""
    x, row = normal(rng, LONG, 2), normal(rng, 2)
    sizes = []
    for rows in (300, LONG, 150_000):
        matrix = np.resize(x, (rows, 2))
        program = submission.set_row.jit().program(matrix, np.int32(0), row)
        sizes.append(program.size)
        # With a branch for each row, the large programs would take minutes.
        assert sizes[0] < 300
        assert program.size <= sizes[0]
        for i in (0, 3, rows // 2, rows - 1):
            check(program(matrix, np.int32(i), row), matrix, i, row)


def each_alone(set_row, x, i, row):
    """Each argument is traced while the two others are known."""
    with jax.ensure_compile_time_eval():
        matrix = jax.device_put(np.arange(12, dtype=np.int32).reshape(3, 4))
        known = matrix, 1, jax.device_put(np.arange(-9, -5, dtype=np.int32))
    return set_row(x, *known[1:]), set_row(known[0], i, known[2]), set_row(*known[:2], row)


@pytest.mark.points(2)
@pytest.mark.hint("Write it for one matrix, with JAX operations alone; vmap does the rest.")
def test_a_batch_can_be_set(submission, rng):
    """Under `vmap` each matrix gets its own row, or one matrix is updated at several indices.

    The matrix, the index or the row may be traced, and the others known. NaN stays in its row, and
    integers stay integers.
    """
    xs, rows, i = normal(rng, 5, 3, 4), normal(rng, 5, 4), np.array([0, 2, 1, 2, 0], np.int32)
    # In rows that are replaced, in a row that isn't, and in a new one.
    xs[0, 0, 1:], xs[1, 2, 0] = [np.inf, -np.inf, np.nan], np.nan
    xs[3, 1, 3], rows[0, 2] = np.nan, np.nan
    each = np.stack([replaced(xs[b], i[b], rows[b]) for b in range(5)])
    assert_close(submission.set_row.vmap()(xs, i, rows), each, nonfinite=True)
    # Integers that float32 can't hold.
    xs, rows = (rng.integers(-(2**31), 2**31, a.shape).astype(np.int32) for a in (xs, rows))
    alone = submission.set_row.used_by(each_alone).vmap()(xs, i, rows)
    known = np.arange(12, dtype=np.int32).reshape(3, 4), 1, np.arange(4, dtype=np.int32) - 9
    for part, (found, batch) in enumerate(zip(alone, (xs, i, rows), strict=True)):
        given = [(*known[:part], batch[b], *known[part + 1 :]) for b in range(5)]
        assert_close(found, np.stack([replaced(*arguments) for arguments in given]))


def with_input(set_row, x, i, row):
    return set_row(x, i, row), x


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
