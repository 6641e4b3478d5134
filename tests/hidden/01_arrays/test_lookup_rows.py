"""lookup_rows(table, ids, unknown): rows that exist, and one for those that don't."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, size=5, d=3, shape=(7,), dtype=np.float32):
    """A table, ids that have a row, and the row for the others."""
    table = rng.uniform(-100, 100, (size + 1, d)).astype(dtype)
    return table[1:], rng.integers(size, size=shape).astype(np.int32), table[0]


def mix(rng, ids, size):
    """About half of the ids get out of range; the first two are -1 and V."""
    others = np.concatenate([np.arange(-2 * size - 1, 0), np.arange(size, 3 * size)])
    mixed = np.where(rng.random(ids.shape) < 0.5, rng.choice(others, ids.shape), ids)
    mixed.flat[:2] = -1, size
    return mixed.astype(np.int32)


def exact(table, ids, unknown):
    exists = (ids >= 0) & (ids < len(table))
    return np.where(exists[..., None], table[np.where(exists, ids, 0)], unknown)


@pytest.mark.hint("The result has the axes of the ids, followed by the axis of a row.")
def test_each_id_gets_its_row(submission, rng):
    """Ids of any shape get their rows, in their order."""
    for size, d, shape in ((5, 3, (7,)), (4, 4, (4, 4)), (6, 2, (2, 3, 4))):
        given = draw(rng, size, d, shape)
        assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)


@pytest.mark.points(4)
@pytest.mark.hint("What does your code read at V, at -1, and at -V - 1?")
def test_ids_without_a_row(submission, rng):
    """Ids beyond the end and below 0 get the row of `unknown`, near and far."""
    for size, d in ((1, 3), (5, 4)):
        table, _, unknown = draw(rng, size, d)
        ids = [size, -1, 0, -size, -size - 1, size - 1, 2 * size, 70_000, -70_000]
        given = table, rng.permutation(np.int32(ids)), unknown
        assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)


@pytest.mark.hint("Is anything multiplied, or cast?")
def test_every_dtype_is_copied(submission, rng):
    """The dtype of the table is kept, and each number is copied."""
    for dtype in (np.int32, jnp.bfloat16, np.float16):
        with case(f"for {np.dtype(dtype).name}", hint="Which dtype does each of your arrays have?"):
            table, ids, unknown = draw(rng, dtype=dtype)
            if dtype == np.int32:
                # Numbers that float32 can't hold.
                table = table + np.int32(2**30 + 1)
            given = table, mix(rng, ids, 5), unknown
            assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)


def pulled(lookup, table, ids, unknown, g):
    return jax.vjp(lambda table, unknown: lookup(table, ids, unknown), table, unknown)[1](g)


@pytest.mark.hint("Where an id has no row, what gets the gradient? Not the row that was read.")
def test_the_gradients_go_where_the_numbers_came_from(submission, rng):
    """Each row, and `unknown`, get the gradients of all places that contain them."""
    table, ids, unknown = draw(rng, shape=(4, 6))
    ids = mix(rng, ids, 5)
    table[0, 0] = unknown[0] = 0
    g = rng.normal(size=(4, 6, 3)).astype(np.float32)
    by_table, missing = np.zeros((5, 3)), (ids < 0) | (ids > 4)
    np.add.at(by_table, ids[~missing], g[~missing])
    found = submission.lookup_rows.used_by(pulled)(table, ids, unknown, g)
    assert_close(found, (by_table, g[missing].sum(axis=0)), atol=1e-5)


@pytest.mark.hint("Is a row found by its index, or by comparing each id with each row?")
def test_many_ids_and_a_large_table(submission, rng):
    """No table of many ids and rows is made, not even in pieces."""
    given = draw(rng, size=300, d=1, shape=(400,))
    program = submission.lookup_rows.program(*given)
    assert program.elements < 300 * 400
    assert program.bytes < 4 * 300 * 400
    assert_close(program(*given), exact(*given), rtol=0, atol=0)


@pytest.mark.hint("Valid ids are known only at run time. Do you select them with a mask?")
def test_a_batch_of_tables(submission, rng):
    """Under `jit` and `vmap`, each table of a batch has its own ids and its own `unknown`."""
    batch = []
    for _ in range(3):
        table, ids, unknown = draw(rng)
        batch.append((table, mix(rng, ids, 5), unknown))
    found = submission.lookup_rows.vmap().jit()(*map(np.stack, zip(*batch, strict=True)))
    assert_close(found, np.stack([exact(*given) for given in batch]), rtol=0, atol=0)


def test_details(submission, rng):
    """It works for a single id, without ids, and where the table or `unknown` has NaN."""
    for shape in ((), (1,)):
        with case(f"for one id of shape {shape}", hint="What shape is the result?"):
            given = draw(rng, shape=shape)
            assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)
    with case("without ids", hint="Which of your operations needs an id?"):
        given = draw(rng, shape=(2, 0))
        assert_close(submission.lookup_rows(*given), exact(*given), rtol=0, atol=0)
    table, ids, unknown = draw(rng)
    table[0, 1], table[2, 0], table[4] = np.nan, -np.inf, np.inf
    ids = np.append(mix(rng, ids, 5), range(-1, 6)).astype(np.int32)
    with case("where the table has NaN", hint="What is NaN times 0? And which NaN do you replace?"):
        expected = exact(table, ids, unknown)
        found = submission.lookup_rows.program(table, ids, unknown)(table, ids, unknown)
        assert_close(found, expected, rtol=0, atol=0, nonfinite=True)
    with case("where `unknown` has NaN", hint="Is each row independent of `unknown`?"):
        unknown[:2] = np.nan, -np.inf
        expected = exact(table, ids, unknown)
        found = submission.lookup_rows.program(table, ids, unknown)(table, ids, unknown)
        assert_close(found, expected, rtol=0, atol=0, nonfinite=True)
