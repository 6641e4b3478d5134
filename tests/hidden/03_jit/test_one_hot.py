"""one_hot(labels, k): a table with one 1 per label, for traced labels and a static k.

No arithmetic is needed, so every comparison is exact.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n, low, high):
    return rng.integers(low, high, size=n).astype(np.int32)


def check(result, labels, k):
    table = np.zeros((len(labels), k), np.float32)
    for i, label in enumerate(labels):
        if 0 <= label < k:
            table[i, label] = 1
    assert_close(result, table, rtol=0)


@pytest.mark.hint("There is a row for each label, and a column for each class. All are float32.")
def test_each_row_marks_its_label(submission, rng):
    """Row i contains a 1 in the column of label i, and 0 in every other column."""
    for n, k in ((7, 5), (1, 5), (4, 1)):
        labels = draw(rng, n, 0, k)
        check(submission.one_hot(labels, k), labels, k)
    labels = rng.permutation(np.array([3, 1, 3, 0, 3], np.int32))
    with case("for as many labels as classes", hint="Do rows belong to labels, or columns?"):
        check(submission.one_hot(labels, 5), labels, 5)


@pytest.mark.hint(
    "Reading beyond the end gives the last entry, or NaN. Do you need to read at all?"
)
def test_labels_beyond_the_end_give_zeros(submission, rng):
    """A label from k on gives a row of zeros."""
    for k in (5, 1):
        labels = rng.permutation([0, k - 1, k, k + 1, 2 * k, 1000]).astype(np.int32)
        check(submission.one_hot(labels, k), labels, k)


@pytest.mark.points(2)
@pytest.mark.hint("Which entry of an array has the index -1?")
def test_negative_labels_give_zeros(submission, rng):
    """A label below 0 gives a row of zeros, and is not counted from the end."""
    for k in (5, 1):
        labels = rng.permutation([0, k - 1, -1, -k, -k - 1, -1000]).astype(np.int32)
        check(submission.one_hot(labels, k), labels, k)


@pytest.mark.points(4)
@pytest.mark.hint(
    "Under jit, the labels have no values: no `if`, no NumPy, no shape computed from them."
)
def test_labels_may_be_traced(submission, rng):
    """Under `jit` with static k, one program serves all labels, and `vmap` works row by row."""
    jitted = submission.one_hot.jit(static_argnums=1)
    for _ in range(3):
        labels = draw(rng, 7, 0, 5)
        check(jitted(labels, 5), labels, 5)
    batch = draw(rng, (3, 7), 0, 5)
    with case("under `vmap`", hint="Inside vmap, there is one row of labels."):
        tables = submission.one_hot.vmap(in_axes=(0, None))(batch, 5)
        assert np.shape(tables) == (3, 7, 5)
        for table, labels in zip(tables, batch, strict=True):
            check(table, labels, 5)
    with case("for labels out of range", hint="Such a label equals none of the classes."):
        labels = rng.permutation([-2, -1, 0, 3, 4, 5, 6]).astype(np.int32)
        check(jitted(labels, 5), labels, 5)


@pytest.mark.hint("Only k may be static. What does your code do with the labels while tracing?")
def test_it_is_traced_once_for_each_k(submission, rng):
    """New labels need no new trace; a new k or more labels need one."""
    calls = [(draw(rng, n, 0, 4), k) for n, k in [(5, 4), (5, 4), (5, 3), (8, 4), (5, 3)]]
    assert submission.one_hot.reported_traces(calls, static_argnums=1) == 3


def test_details(submission, rng):
    """It works without labels."""
    with case("without labels", hint="How many rows are there, and how many columns?"):
        k = int(rng.integers(2, 9))
        labels = draw(rng, 0, 0, k)
        check(submission.one_hot(labels, k), labels, k)
