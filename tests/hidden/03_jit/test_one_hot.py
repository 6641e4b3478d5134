"""one_hot(labels, k): a table with one 1 per label, for traced labels and a static k.

No arithmetic is needed, so every comparison is exact.
"""

import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, n, low, high):
    return rng.integers(low, high, size=n).astype(np.int32)


def around(rng, k, side, ends):
    """A few labels from 0 to 4, those at one end, and some far beyond it.

    Some of the last ones are from 0 to 4 in their last bits.
    """
    far = [side * 2**p + draw(rng, 3, 0, min(k, 5)) for p in (7, 8, 15, 16, 24, 30)]
    return np.concatenate([draw(rng, 3, 0, min(k, 5)), ends, *far]).astype(np.int32)


def table_of(labels, k):
    table = np.zeros((len(labels), k), np.float32)
    for i, label in enumerate(labels):
        if 0 <= label < k:
            table[i, label] = 1
    return table


def check(result, labels, k):
    """Compares the numbers. Another test checks that they are floats."""
    table = table_of(labels, k)
    dtype = getattr(result, "dtype", None)
    assert_close(result, table.astype(dtype) if dtype in (np.bool_, np.int32) else table, rtol=0)


@pytest.mark.hint("There is a row for each label, and a column for each class.")
def test_each_row_marks_its_label(submission, rng):
    """Row i holds a 1 in the column of label i, and 0 in every other column."""
    for n, k in [(9001, 5), (1, 5), (25, 1), (25, 500)]:
        labels = draw(rng, n, 0, k)
        # Of 500 classes, no float of eight bits holds the one before the last two.
        labels[0], labels[-1] = max(0, k - 3), k - 1
        check(submission.one_hot(labels, k), labels, k)


@pytest.mark.hint("With as many labels as classes, a transposed table has the right shape.")
def test_a_square_table_is_not_transposed(submission, rng):
    """With as many labels as classes, rows still belong to labels."""
    labels = rng.permutation(np.array([3, 1, 3, 0, 3], np.int32))
    check(submission.one_hot(labels, 5), labels, 5)


@pytest.mark.hint(
    "Reading beyond the end gives the last entry, or NaN. Do you need to read at all?"
)
def test_labels_beyond_the_end_give_zeros(submission, rng):
    """A label from k on gives a row of zeros."""
    for k in (1, 5, 500):
        labels = around(rng, k, 1, [k, k + 1, 2 * k, 2**31 - 1])
        check(submission.one_hot(labels, k), labels, k)


@pytest.mark.hint("Which entry of an array has the index -1?")
def test_negative_labels_give_zeros(submission, rng):
    """A label below 0 gives a row of zeros, and is not counted from the end."""
    for k in (1, 5, 500):
        labels = around(rng, k, -1, [-1, -k, -k - 1, -(2**31)])
        check(submission.one_hot(labels, k), labels, k)


@pytest.mark.hint("A comparison gives booleans.")
def test_entries_are_floats(submission, rng):
    """The result is float32, with or without labels, for any number of labels and classes."""
    for n, k in [(25, 5), (0, 5), (1, 5), (25, 1), (9001, 5), (25, 500)]:
        labels = draw(rng, n, 0, min(k, 5))
        assert_close(submission.one_hot(labels, k), table_of(labels, k), rtol=0)


@pytest.mark.points(4)
@pytest.mark.hint(
    "Under jit the labels have no values: no `if`, no NumPy, no shape computed from them."
)
def test_labels_may_be_traced(submission, rng):
    """Under `jit` with static k one program serves all labels; `vmap` works row by row."""
    jitted = submission.one_hot.jit(static_argnums=1)
    for _ in range(3):
        labels = draw(rng, 7, -2, 7)
        check(jitted(labels, 5), labels, 5)
    batch = draw(rng, (3, 7), -2, 7)
    tables = submission.one_hot.vmap(in_axes=(0, None))(batch, 5)
    assert np.shape(tables) == (3, 7, 5)
    for table, labels in zip(tables, batch, strict=True):
        check(table, labels, 5)


@pytest.mark.hint("Only k may be static. What does your code do with the labels while tracing?")
def test_it_is_traced_once_for_each_k(submission, rng):
    """New labels need no new trace; a new k or more labels need one."""
    calls = [(draw(rng, n, 0, 4), k) for n, k in [(5, 4), (5, 4), (5, 3), (8, 4), (5, 3)]]
    assert submission.one_hot.reported_traces(calls, static_argnums=1) == 3
