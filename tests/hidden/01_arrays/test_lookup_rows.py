"""lookup_rows(table, ids, unknown): rows that exist, and one for those that don't."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

MOST = 2**31 - 1
RUNS_OVER = 2**30, 1_431_655_766, -1_431_655_765
"""Times 3 or 4, they are small numbers in 32 bits."""


def draw(rng, size=5, d=3, shape=(7,), dtype=np.float32):
    """A table of numbers of all sizes, ids that have a row, and the row for the others."""
    table = rng.choice([-1, 1], (size + 1, d)) * 10 ** rng.uniform(-3, 3, (size + 1, d))
    table = table.astype(dtype)
    return table[1:], rng.integers(size, size=shape).astype(np.int32), table[0]


def mix(rng, ids, size):
    """About half of the ids get out of range, also far; the first two are -1 and V."""
    near = np.concatenate([np.arange(-2 * size - 1, 0), np.arange(size, 3 * size)])
    others = np.append(near, [-MOST - 1, MOST, MOST - 1, -70_000, 70_000])
    mixed = np.where(rng.random(ids.shape) < 0.5, rng.choice(others, ids.shape), ids)
    mixed.flat[:2] = -1, size
    return mixed.astype(np.int32)


def exact(table, ids, unknown):
    exists = (ids >= 0) & (ids < len(table))
    return np.where(exists[..., None], table[np.where(exists, ids, 0)], unknown)


def slopes(table, ids, unknown, g):
    """The gradients in the table and in `unknown`, in float64."""
    by_table, by_unknown = np.zeros(table.shape), np.zeros(unknown.shape)
    for place in np.ndindex(ids.shape):
        if 0 <= ids[place] < len(table):
            by_table[ids[place]] += g[place]
        else:
            by_unknown += g[place]
    return by_table, by_unknown


MARKS = np.array([0, 1, -1, -2, 127, -128, 255, 999, -999, 2**15, -(2**15), 10**6, -(10**9), MOST])
DTYPES = "int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "bfloat16", "float32"


def marked(rng, dtype):
    """Numbers that an answer could mark a missing row with: each has a row of its own."""
    kind = (jnp.finfo if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo)(dtype)
    with np.errstate(over="ignore"):
        numbers = MARKS.astype(dtype)
    ends = np.array([kind.min, kind.max], dtype)
    table = np.concatenate([numbers[np.isfinite(numbers)], ends])[:, None]
    return table, rng.permutation(len(table)).astype(np.int32), np.array([77], dtype)


def each(lookup, *given):
    return [lookup(*arguments) for arguments in given]


def with_signs(lookup, *given):
    """The rows, and where there is a sign: 0 and -0 are equal numbers."""
    rows = lookup(*given)
    return rows, jnp.signbit(rows) & ~jnp.isnan(rows)


def pulled(lookup, table, ids, unknown, g):
    return jax.vjp(lambda table, unknown: lookup(table, ids, unknown), table, unknown)[1](g)


def pulled_each(lookup, *given):
    return [pulled(lookup, *arguments) for arguments in given]


@pytest.mark.hint("The result has the axes of the ids, and behind them the axis of a row.")
def test_each_id_gets_its_row(submission, rng):
    """Ids of any shape get their rows, in their order."""
    for size, d, shape in ((5, 3, (7,)), (4, 4, (4, 4, 4)), (1, 1, (1,)), (6, 2, ()), (3, 2, (0,))):
        given = draw(rng, size, d, shape)
        assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)


@pytest.mark.points(4)
@pytest.mark.hint("What does your code read at V, at -1, and at -V - 1?")
def test_ids_without_a_row(submission, rng):
    """Ids beyond the end and below 0 get the row of `unknown`, near and far."""
    for size, d in ((1, 3), (5, 4)):
        table, _, unknown = draw(rng, size, d)
        near = size, -1, 0, -size, -size - 1, size - 1, 2 * size
        ids = np.int32([*near, MOST, -MOST - 1, -65536, *RUNS_OVER])
        given = table, rng.permutation(ids), unknown
        program = submission.lookup_rows.program(*given)
        assert_close(program(*given), exact(*given), rtol=0, atol=0)
    table, ids, unknown = draw(rng, shape=(3, 8))
    given = table, mix(rng, ids, 5), unknown
    assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)


@pytest.mark.hint("Is anything multiplied, or cast? And which number can't be in the table?")
def test_every_dtype_is_copied(submission, rng):
    """Each dtype is kept, and each number is copied: the lowest ones, 0 and -1 are no marks."""
    for dtype in (jnp.bfloat16, np.float16):
        given = draw(rng, dtype=dtype)
        assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)
    table = rng.integers(2**30, MOST, (5, 3)).astype(np.int32) * np.int32([1, -1, 1])
    given = table, rng.integers(5, size=9).astype(np.int32), table[0] - 1
    assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)
    given = [marked(rng, jnp.dtype(dtype)) for dtype in DTYPES]
    found = submission.lookup_rows.used_by(each).program(*given)(*given)
    expected = [exact(*arguments) for arguments in given]
    assert_close(found, expected, rtol=0, atol=0, nonfinite=True)


@pytest.mark.hint("What is NaN times 0? And which NaN do you replace?")
def test_nan_and_infinity_stay_in_their_rows(submission, rng):
    """NaN, infinities and -0 of the table, and those of `unknown`, are copied like all numbers."""
    table, ids, unknown = draw(rng)
    table[0, 1], table[2, 0], table[4], table[3, 0] = np.nan, -np.inf, np.inf, -0.0
    ids = np.append(mix(rng, ids, 5), [0, 1, 2, 3, 4, 5, -1]).astype(np.int32)
    for row in (unknown, np.float32([np.nan, -np.inf, 0]), np.float32([1e-30, -0.0, -1e30])):
        given = table, ids, row
        found, signs = submission.lookup_rows.used_by(with_signs).program(*given)(*given)
        expected = exact(*given)
        assert_close(found, expected, rtol=0, atol=0, nonfinite=True)
        assert_close(signs, np.signbit(expected) & ~np.isnan(expected))


@pytest.mark.hint("Where an id has no row, who gets the gradient? Not the row that was read.")
def test_the_gradients_go_where_the_numbers_came_from(submission, rng):
    """Each row, and `unknown`, get the gradients of all places that have them."""
    table, ids, unknown = draw(rng, shape=(4, 6))
    ids = mix(rng, ids, 5)
    ids[0, 2:4] = 4, 0
    table[4, 0] = unknown[1] = 0
    # Where a gradient goes doesn't depend on the numbers.
    table[0], unknown[0] = (np.inf, -np.inf, np.nan), -np.inf
    g = rng.normal(size=(4, 6, 3)).astype(np.float32)
    found = submission.lookup_rows.used_by(pulled)(table, ids, unknown, g)
    for part, expected in zip(found, slopes(table, ids, unknown, g), strict=True):
        assert_close(part, expected, atol=1e-5)
    # Infinity and NaN go to one place, too: row 4, and `unknown`.
    g[0, 2, 0], g[0, 0, 1:] = np.inf, np.nan
    found = submission.lookup_rows.used_by(pulled)(table, ids, unknown, g)
    for part, expected in zip(found, slopes(table, ids, unknown, g), strict=True):
        assert_close(part, expected, atol=1e-5, nonfinite=True)
    # Of half precision, of one id and of none. Sums of small integers are exact.
    given = []
    for dtype, shape in ((jnp.bfloat16, (2, 1, 3)), (np.float16, ()), (np.float32, (2, 0))):
        table, ids, unknown = draw(rng, shape=shape, dtype=dtype)
        given.append((table, ids - 1, unknown, rng.integers(-3, 4, (*shape, 3)).astype(dtype)))
    found = submission.lookup_rows.used_by(pulled_each).program(*given).structured(*given)
    for pair, arguments in zip(found, given, strict=True):
        right = tuple(part.astype(arguments[0].dtype) for part in slopes(*arguments))
        assert_close(pair, right, rtol=0, atol=0)


@pytest.mark.hint("Is a row found by its index, or by comparing each id with each row?")
def test_many_ids_and_a_large_table(submission, rng):
    """No array has a number for each pair of an id and a row, of which there may be many."""
    table, ids, unknown = draw(rng, size=70_000, d=1, shape=(1500,))
    ids[:3] = 33_333, 66_667, 69_999
    given = table[:300], ids[:400] % 300, unknown
    program = submission.lookup_rows.program(*given)
    assert program.largest_intermediate < 300 * 400
    assert_close(program(*given), exact(*given), rtol=0, atol=0)
    found = submission.lookup_rows(table, ids, unknown)
    assert_close(found, exact(table, ids, unknown), rtol=0, atol=0)
    given = *given, np.ones((400, 1), np.float32)
    gradient = submission.lookup_rows.used_by(pulled).program(*given)
    assert gradient.largest_intermediate < 300 * 400


@pytest.mark.hint("Which ids have a row is known at run time only. Do you pick them by a mask?")
def test_a_batch_of_tables(submission, rng):
    """Under `jit` and `vmap`, each table of a batch has its own ids and its own `unknown`."""
    batch = []
    for _ in range(3):
        table, ids, unknown = draw(rng)
        batch.append((table, mix(rng, ids, 5), unknown))
    found = submission.lookup_rows.vmap().jit()(*map(np.stack, zip(*batch, strict=True)))
    assert_close(found, np.stack([exact(*given) for given in batch]), rtol=0, atol=0)
