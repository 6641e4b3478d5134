"""nearest_labels(points, labels, queries): the label of the nearest point, for all queries at once.

The stub is a program whose labels are right, and that loops over the queries in Python.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, n=30, d=3, q=12, far=0):
    points = rng.normal(far, size=(n, d)).astype(np.float32)
    labels = rng.permutation(10 * n)[:n].astype(np.int32)
    return points, labels, rng.normal(far, size=(q, d)).astype(np.float32)


def nearest(points, labels, queries):
    steps = np.float64(points)[None] - np.float64(queries)[:, None]
    return labels[np.argmin(np.sum(steps**2, axis=-1), axis=1)]


def check(result, points, labels, queries):
    assert_close(result, nearest(points, labels, queries))


@pytest.mark.hint("For one query, compute all distances on paper, and look up the label.")
def test_each_query_gets_the_label_of_its_nearest_point(submission, rng):
    """Each query has the label of the point at the smallest distance, whatever the sizes."""
    for sizes in ({}, {"n": 5, "d": 5, "q": 5}, {"n": 7, "d": 1, "q": 2}, {"q": 1}, {"far": 1000}):
        given = draw(rng, **sizes)
        check(submission.nearest_labels(*given), *given)


@pytest.mark.points(2)
@pytest.mark.hint("Which of two equal distances does `argmin` find?")
def test_the_first_of_two_counts(submission, rng):
    """If two points are equally near, the first one counts."""
    _, labels, _ = draw(rng, n=6)
    points = np.float32([[2, 0], [0, 0], [0, 2], [0, 0], [2, 2], [2, 0]])
    queries = np.float32([[1, 0], [0, 0], [1, 1], [2, 1]])
    check(submission.nearest_labels(points, labels, queries), points, labels, queries)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop adds a copy of its body to the program for each query.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 400 queries is small, and has no loop over them."""
    given = draw(rng, q=400)
    program = submission.nearest_labels.program(*given)
    assert program.depth < 400, "The program has a round for each query."
    assert program.size < 200, "The program grows with the queries."
    check(program(*given), *given)


def one_by_one(points, labels, queries):
    """The program of the stub."""
    found = []
    for query in queries:
        distances = jnp.sqrt(jnp.sum((points - query) ** 2, axis=1))
        found.append(labels[jnp.argmin(distances)])
    return jnp.stack(found)


@pytest.mark.points(4)
@pytest.mark.hint("How many operations are sent to the device in one call?")
def test_it_is_fast(submission, race):
    """A call is at least eight times as fast as one query at a time."""
    race(submission.nearest_labels, baseline=one_by_one, check=check)
