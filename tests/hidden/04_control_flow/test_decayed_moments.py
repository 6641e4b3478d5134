"""decayed_moments(x, decay): a moving average of outer products, without a loop over the rows.

The stub is a program whose values are right, and that updates a table row by row.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, rows=12, columns=3):
    x = rng.normal(size=(rows, columns)).astype(np.float32)
    return x, np.float32(rng.uniform(0.6, 0.9))


def moments(x, decay):
    """The updates in float64."""
    x, decay = np.float64(x), np.float64(decay)
    table = np.zeros((x.shape[1], x.shape[1]))
    for row in x:
        table = decay * table + (1 - decay) * np.outer(row, row)
    return table


def check(found, x, decay):
    assert_close(found, moments(x, decay), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Write the table out for two rows. Which of them counts more?")
def test_the_table_is_that_of_the_updates(submission, rng):
    """The table is the one that the updates give, for any numbers of rows and columns."""
    for rows, columns in ((12, 3), (2, 2), (4, 4), (3, 5), (1, 3), (7, 1), (300, 2)):
        x, decay = draw(rng, rows, columns)
        with case(f"for {rows} rows of {columns} numbers"):
            check(submission.decayed_moments(x, decay), x, decay)


@pytest.mark.hint("What is the weight of the last row if the decay is 0?")
def test_details(submission, rng):
    """The edges are right, and so is a batch."""
    for decay in np.float32([0, 1]):
        with case(f"for a decay of {decay:.0f}"):
            x, _ = draw(rng)
            check(submission.decayed_moments(x, decay), x, decay)
    with case("in a batch under `jit`", hint="While tracing, the decay has no value."):
        pairs = [draw(rng) for _ in range(4)]
        xs, decays = (np.stack(arrays) for arrays in zip(*pairs, strict=True))
        found = submission.decayed_moments.vmap().jit()(xs, decays)
        assert_close(found, np.stack([moments(*pair) for pair in pairs]), atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("Which rows does the weight of a row depend on?")
def test_no_round_for_each_row(submission, rng):
    """For many rows, only a few operations wait for one another."""
    rows = 960
    x, decay = draw(rng, rows)
    program = submission.decayed_moments.program(x, decay)
    check(program(x, decay), x, decay)
    assert program.depth <= rows / 2, "A long chain of operations waits, one for each row."


@jax.jit
def row_by_row(x, decay):
    """The program of the stub."""

    def update(table, row):
        return decay * table + (1 - decay) * jnp.outer(row, row), None

    return jax.lax.scan(update, jnp.zeros((x.shape[1], x.shape[1])), x)[0]


@pytest.mark.points(4)
@pytest.mark.hint("How often does your program read and write the whole table?")
def test_it_is_fast(submission, race):
    """For 8000 days and 32 shares, it is three times as fast as one update after the other."""
    race(submission.decayed_moments, baseline=row_by_row, check=check)
