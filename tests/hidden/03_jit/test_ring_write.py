"""ring_write(buffer, count, rows): values, what is donated, and what is copied.

A plain call would delete the suite's arrays, so nearly all calls are those of programs.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, n=7, d=3, b=4, dtype=np.float32):
    """A buffer and rows of numbers of all sizes; integers are large."""
    if np.issubdtype(dtype, np.integer):
        numbers = rng.integers(2**32, size=(n + b, d), dtype=np.uint32).astype(dtype)
    else:
        numbers = rng.choice([-1, 1], (n + b, d)) * 10 ** rng.uniform(-4, 4, (n + b, d))
    numbers = numbers.astype(dtype)
    return numbers[:n], numbers[n:]


def exact(buffer, count, rows):
    buffer = buffer.copy()
    for i, row in enumerate(rows):
        buffer[(count + i) % len(buffer)] = row
    return buffer, np.int32(count + len(rows))


def minus(x):
    """Where there is a minus: 0 and -0 are equal numbers. NaN has no sign."""
    return np.signbit(x) & ~np.isnan(x)


def check(found, buffer, count, rows):
    """Nothing is computed, so every number has to be the same."""
    expected = exact(buffer, int(count), rows)
    assert_close(found, expected, rtol=0, atol=0, nonfinite=True)
    if buffer.dtype == np.float32:
        assert_close(minus(found[0]), minus(expected[0]))


@pytest.mark.points(2)
@pytest.mark.hint("Where does each row stand if the rows don't fit before the end?")
def test_rows_go_on_at_the_start(submission, rng):
    """Rows stand behind those before, and at the start when the end is reached."""
    for b in (4, 1):
        buffer, rows = draw(rng, b=b)
        program = submission.ring_write.program(buffer, np.int32(0), rows)
        for count in (0, 2, 3, 4, 6, 7, 12, 2**30 - 1, 2**30):
            check(program.structured(buffer, np.int32(count), rows), buffer, count, rows)


@pytest.mark.hint("Which rows are written? Is there an operation on all of the buffer?")
def test_a_larger_buffer_costs_no_more(submission, rng):
    """For a buffer of fifty times as many rows, the program reads and writes no more numbers."""
    for b in (1, 4, 1301):
        costs = set()
        for n in (1400, 70_000):
            buffer, rows = draw(rng, n, b=b)
            program = submission.ring_write.program(buffer, np.int32(n - 1), rows)
            costs.add((program.flops, program.bytes))
            if b == 4 and n == 70_000:
                check(program.structured(buffer, np.int32(n - 1), rows), buffer, n - 1, rows)
        assert len(costs) == 1


@pytest.mark.points(4)
@pytest.mark.hint(
    "Which argument of `jax.jit` gives memory away? A buffer can be donated to a result of the "
    "same shape and dtype only."
)
def test_every_shape_and_dtype_is_donated(submission, rng):
    """The buffer alone is donated: of any dtype and shape, for no row and for all rows."""
    # Each place fits into few bits, but not the sum of two of them.
    kinds = (120, 2, 120, jnp.bfloat16), (250, 1, 240, np.int32), (1, 5, 1, np.float16)
    for n, d, b, dtype in (*kinds, (65_500, 1, 1301, np.uint32)):
        buffer, rows = draw(rng, n, d, b, dtype)
        program = submission.ring_write.program(buffer, np.int32(2 * n - 1), rows)
        check(program.structured(buffer, np.int32(2 * n - 1), rows), buffer, 2 * n - 1, rows)
        assert program.donated == {0}, "the buffer, and it alone, has to be donated"
    buffer, rows = draw(rng, b=0)
    program = submission.ring_write.program(buffer, np.int32(5), rows)
    check(program.structured(buffer, np.int32(5), rows), buffer, 5, rows)
    assert program.donated == {0}, "the buffer, and it alone, has to be donated"


@pytest.mark.hint("Is anything multiplied by 0? A copy has NaN and infinity as well.")
def test_other_rows_are_as_before(submission, rng):
    """NaN, infinity, -0 and numbers of any size stay, in rows and in the buffer."""
    n = 32_700
    buffer, rows = draw(rng, n, 2, 300)
    buffer[3], buffer[n - 1], buffer[500], buffer[0] = np.nan, np.inf, (-0.0, 1e-42), (1e-38, -0.0)
    rows[0, 0], rows[1], rows[4] = 1e-30, -np.inf, (np.nan, -0.0)
    program = submission.ring_write.program(buffer, np.int32(0), rows)
    for count in (n - 3, n + 350):
        check(program.structured(buffer, np.int32(count), rows), buffer, count, rows)


def several(write, buffer, count, batches):
    """Several batches, one after the other, in a loop."""

    def step(state, rows):
        return write(*state, rows), None

    return jax.lax.scan(step, (buffer, count), batches)[0]


def pulled(write, buffer, count, rows, g):
    """The gradients in the buffer and in the rows, where g arrives at the new buffer."""
    return jax.vjp(lambda buffer, rows: write(buffer, count, rows)[0], buffer, rows)[1](g)


@pytest.mark.hint("Does the state that you return have the shapes and dtypes of the one before?")
def test_batch_after_batch(submission, rng):
    """In a loop, each batch is written behind the one before; gradients go to what is there."""
    buffer, rows = draw(rng, 5, 2, 12)
    batches = rows.reshape(4, 3, 2)
    found = submission.ring_write.used_by(several).program(buffer, np.int32(0), batches)
    for count in (0, 4):
        expected = buffer, np.int32(count)
        for batch in batches:
            expected = exact(*expected, batch)
        assert_close(found.structured(buffer, np.int32(count), batches), expected, rtol=1e-7)
    g, new = rng.normal(size=(5, 2)).astype(np.float32), batches[0]
    expected = exact(g, 3, np.zeros_like(new))[0], g[[3, 4, 0]]
    new[0, 0] = 0
    derivative = submission.ring_write.used_by(pulled).program(buffer, np.int32(3), new, g)
    assert_close(tuple(derivative(buffer, np.int32(3), new, g)), expected, rtol=1e-7)


def one_by_one(write, buffer, count, batches):
    """Several batches, one after the other, in Python: only the first two calls may be traced."""
    state, batches = (jnp.array(buffer), jnp.array(count)), list(batches)
    for rows in batches[:2]:
        state = write(*state, rows)
    with jax.no_tracing():
        for rows in batches[2:]:
            state = write(*state, rows)
    return state


@pytest.mark.hint("What is compiled in a call is compiled anew in each call.")
def test_it_is_compiled_once(submission, rng):
    """Call after call, the program of the first one is used again."""
    buffer, rows = draw(rng, 5, 2, 12)
    written = submission.ring_write.used_by(one_by_one).reported()
    check(written(buffer, np.int32(4), rows.reshape(4, 3, 2)), buffer, 4, rows)
