"""ref_counts(counts, scores): classes as a result, and counts in a reference of the caller's.

A reference can't be sent to the student's process. So functions of this suite make it, and what is
judged is a program of arrays.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case


def draw(rng, labels, classes):
    """Scores with these classes."""
    labels = np.asarray(labels)
    scores = rng.normal(size=(*labels.shape, classes))
    np.put_along_axis(scores, labels[..., None], 5, axis=-1)
    return scores.astype(np.float32)


def answered(ref_counts, scores):
    counts = jax.new_ref(jnp.zeros(scores.shape[1], jnp.int32))
    return jax.jit(ref_counts)(counts, scores)


def counted(ref_counts, start, scores):
    """The counts after one call."""
    counts = jax.new_ref(start)
    jax.jit(ref_counts)(counts, scores)
    return counts[...]


def called(ref_counts, start, batches):
    """The counts after one call for each batch."""
    counts, call = jax.new_ref(start), jax.jit(ref_counts)
    for scores in batches:
        call(counts, scores)
    return counts[...]


def looped(ref_counts, start, batches):
    """The same in a loop of the program."""
    counts = jax.new_ref(start)
    labels = lax.map(lambda scores: ref_counts(counts, scores), batches)
    return labels, counts[...]


@pytest.mark.hint("Along which axis of the scores are the classes of one row?")
def test_each_row_has_a_class(submission, rng):
    """The class of a row is the place of its largest score, the first one of equal scores."""
    labels = rng.integers(5, size=8)
    used = submission.ref_counts.used_by(answered)
    assert_close(used.jit()(draw(rng, labels, 5)), labels.astype(np.int32))
    scores = draw(rng, labels, 5)
    scores[:, 4] = 5
    assert_close(used.jit()(scores), labels.astype(np.int32))


@pytest.mark.points(3)
@pytest.mark.hint("Does your code write into the reference, or does it give a name to a new array?")
def test_the_counts_of_the_caller_change(submission, rng):
    """After a call, the reference of the caller holds the counts."""
    labels = rng.permutation(6)[:4]
    found = submission.ref_counts.used_by(counted).jit()(
        np.zeros(6, np.int32), draw(rng, labels, 6)
    )
    assert_close(found, np.bincount(labels, minlength=6).astype(np.int32))


@pytest.mark.points(3)
@pytest.mark.hint("What is added at a place that is named three times?")
def test_a_class_counts_each_time(submission, rng):
    """A class that occurs several times is counted as often."""
    once, often = rng.integers(2, 30, size=2)
    labels = rng.permutation([0, *[1] * once, *[3] * often])
    found = submission.ref_counts.used_by(counted).jit()(
        np.zeros(4, np.int32), draw(rng, labels, 4)
    )
    assert_close(found, np.array([1, once, 0, often], np.int32))


@pytest.mark.points(2)
@pytest.mark.hint("What was in the reference before the call?")
def test_the_counts_go_on(submission, rng):
    """Each call adds to the counts of the calls before, also in a loop of the program."""
    start = rng.integers(1, 50, size=6).astype(np.int32)
    labels = np.stack([rng.permutation(6)[:4] for _ in range(3)])
    expected = start + np.bincount(labels.ravel(), minlength=6).astype(np.int32)
    batches = draw(rng, labels, 6)
    with case("in three calls"):
        assert_close(submission.ref_counts.used_by(called).jit()(start, batches), expected)
    with case("in a loop", hint="Which Python code runs once only, when the loop is traced?"):
        found = submission.ref_counts.used_by(looped).jit()(start, batches)
        assert_close(found, (labels.astype(np.int32), expected))


@pytest.mark.hint("How often is a Python loop over the rows written into the program?")
def test_the_program_does_not_grow(submission, rng):
    """The program for 150 rows has fewer operations than rows."""
    labels, start = rng.permutation(160)[:150], np.zeros(160, np.int32)
    scores = draw(rng, labels, 160)
    program = submission.ref_counts.used_by(counted).program(start, scores)
    assert program.size < 150
    expected = np.bincount(labels, minlength=160).astype("i4")
    assert_close(program(start, scores), expected)
    with case("where scores are equal", hint="Of equal scores, the first one counts alone."):
        scores[:, -1] = 5
        assert_close(program(start, scores), expected)
