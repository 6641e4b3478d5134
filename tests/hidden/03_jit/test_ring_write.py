"""ring_write(buffer, count, rows): values, what is donated, and what is copied.

A plain call would delete the suite's arrays, so nearly all calls are those of programs.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n=7, d=3, b=4):
    numbers = rng.normal(size=(n + b, d)).astype(np.float32)
    return numbers[:n], numbers[n:]


def exact(buffer, count, rows):
    buffer = buffer.copy()
    for i, row in enumerate(rows):
        buffer[(count + i) % len(buffer)] = row
    return buffer, np.int32(count + len(rows))


def check(submission, buffer, counts, rows):
    """One program serves all counts. Nothing is computed, so every number has to be the same."""
    program = submission.ring_write.program(buffer, np.int32(counts[0]), rows)
    for count in counts:
        found = program.structured(buffer, np.int32(count), rows)
        assert_close(found, exact(buffer, count, rows), rtol=0, nonfinite=True)


@pytest.mark.points(3)
@pytest.mark.hint("Where does each row go if the rows don't fit before the end?")
def test_rows_go_on_at_the_start(submission, rng):
    """Rows follow those before, and start over when the end is reached."""
    for b in (4, 1):
        buffer, rows = draw(rng, b=b)
        check(submission, buffer, (0, 2, 3, 4, 6, 7, 12, 1000), rows)


@pytest.mark.points(3)
@pytest.mark.hint("Which argument of `jax.jit` donates memory, and of which array?")
def test_the_buffer_is_donated(submission, rng):
    """The buffer is donated, and nothing else."""
    for n, b in ((7, 4), (5, 1)):
        buffer, rows = draw(rng, n, int(rng.integers(1, 9)), b)
        program = submission.ring_write.program(buffer, np.int32(2), rows)
        assert program.donated == {0}, "The buffer, and nothing else, must be donated."


@pytest.mark.points(2)
@pytest.mark.hint("Which rows are written? Does an operation use the whole buffer?")
def test_a_larger_buffer_costs_no_more(submission, rng):
    """For a buffer of thousands of rows, the program reads and writes only some of them."""
    size = int(rng.integers(5000, 9000))
    for b in (4, 1):
        buffer, rows = draw(rng, size, b=b)
        given = buffer, np.int32(2), rows
        program = submission.ring_write.program(*given)
        assert_close(program.structured(*given), exact(buffer, 2, rows), rtol=0)
        assert program.bytes < size
        assert program.flops < size


def several(write, buffer, count, batches):
    """Several batches, one after the other, in a loop."""

    def step(state, rows):
        return write(*state, rows), None

    return jax.lax.scan(step, (buffer, count), batches)[0]


def one_by_one(write, buffer, count, batches):
    """Several batches, one after the other, in Python: only the first two calls may be traced."""
    state, batches = (jnp.array(buffer), jnp.array(count)), list(batches)
    for rows in batches[:2]:
        state = write(*state, rows)
    with jax.no_tracing():
        for rows in batches[2:]:
            state = write(*state, rows)
    return state


def test_batch_after_batch(submission, rng):
    """Each batch is written after the previous one, in a loop and in successive calls."""
    buffer, rows = draw(rng, 5, 2, 12)
    state, expected = (buffer, np.int32(4), rows.reshape(4, 3, 2)), exact(buffer, 4, rows)
    with case("in a scan", hint="Does the state have the same shapes and dtypes as before?"):
        found = submission.ring_write.used_by(several).program(*state)
        assert_close(found.structured(*state), expected, rtol=0)
    with case("in four calls", hint="Code compiled inside a call is compiled again in each call."):
        found = submission.ring_write.used_by(one_by_one).reported()(*state)
        assert_close(found, expected, rtol=0)


def pulled(write, buffer, count, rows, g):
    """The gradients in the buffer and in the rows, where g arrives at the new buffer."""
    return jax.vjp(lambda buffer, rows: write(buffer, count, rows)[0], buffer, rows)[1](g)


def test_details(submission, rng):
    """It works for other dtypes, for no rows or all of them, with NaN, and in the gradient."""
    buffer, rows = draw(rng)
    with case("for integers", hint="Does your code convert the rows, or the buffer, to floats?"):
        numbers = rng.integers(2**30, 2**31 - 1, size=(7, 2)).astype(np.int32)
        check(submission, numbers, (2, 6), numbers[:3] - 1)
    with case("in half precision", hint="Does the new buffer have the dtype of the old one?"):
        check(submission, buffer.astype(jnp.bfloat16), (2, 6), rows.astype(jnp.bfloat16))
    with case("for no rows", hint="The buffer and the count then stay the same."):
        check(submission, buffer, (2, 6), rows[:0])
    with case("for as many rows as there are places", hint="Every row has its own place."):
        check(submission, buffer[:4], (2, 3), rows)
    with case("where the buffer has NaN", hint="Is anything multiplied by 0?"):
        broken = buffer.copy()
        broken[::3] = np.nan
        check(submission, broken, (2, 6), rows)
    with case("in the gradient", hint="Which part of the new buffer depends on which argument?"):
        g = rng.normal(size=buffer.shape).astype(np.float32)
        expected = exact(g, 5, np.zeros_like(rows))[0], g[[5, 6, 0, 1]]
        given = buffer, np.int32(5), rows, g
        derivative = submission.ring_write.used_by(pulled).program(*given)
        assert_close(tuple(derivative(*given)), expected, rtol=0)
