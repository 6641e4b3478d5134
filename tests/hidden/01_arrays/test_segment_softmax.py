"""segment_softmax(scores, segments, n): a softmax within each of many groups."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, count, n, padding=0.2):
    """Scores of order one, segments in any order, and some padding."""
    segments = rng.integers(n, size=count)
    segments = np.where(rng.random(count) < padding, n, segments)
    return rng.uniform(-3, 3, count).astype(np.float32), segments.astype(np.int32)


def exact(scores, segments, n):
    """In float64, segment by segment."""
    found = np.zeros(len(scores))
    for segment in np.unique(segments[segments < n]):
        mine = segments == segment
        weights = np.exp(scores[mine] - scores[mine].max().astype(np.float64))
        found[mine] = weights / weights.sum()
    return found


def slopes(scores, segments, n, g):
    """The gradient, if g arrives."""
    found = exact(scores, segments, n)
    g = g.astype(np.float64)
    for segment in range(n):
        mine = segments == segment
        g[mine] -= (found * g)[mine].sum()
    return found * g


def pulled(softmax, scores, segments, g, n):
    return jax.vjp(lambda scores: softmax(scores, segments, n), scores)[1](g)[0]


@pytest.mark.hint("A score is compared with those of its own segment alone. Do they add up to 1?")
def test_each_segment_adds_up_to_one(submission, rng):
    """Each score gets its share of its segment, in whatever order they come."""
    for count, n in ((7, 2), (9, 9), (6, 1)):
        scores, segments = draw(rng, count, n, padding=0)
        found = submission.segment_softmax(scores, segments, n)
        assert_close(found, exact(scores, segments, n), atol=2e-6)


@pytest.mark.points(4)
@pytest.mark.hint("Which maximum do you subtract? What are the exponentials of the other segments?")
def test_segments_far_apart(submission, rng):
    """Segments whose scores are thousands apart have the same precision as all others."""
    for n in (3, 40):
        scores, segments = draw(rng, 8 * n, n, padding=0)
        # Sixteenths are exact beside a thousand.
        scores = np.round(16 * scores) / 16
        levels = rng.permutation(np.linspace(-3000, 3000, n).round())
        scores = (scores + levels[segments]).astype(np.float32)
        program = submission.segment_softmax.program(scores, segments, n)
        assert_close(program(scores, segments), exact(scores, segments, n), atol=4e-6)
    # A tiny share is as exact as a large one.
    scores, segments = np.float32([0, -86, 500, 414]), np.int32([0, 0, 1, 1])
    found = submission.segment_softmax(scores, segments, 2)
    assert_close(found, exact(scores, segments, 2), rtol=1e-4, atol=0)
    # The largest score is neither the first nor the last of its segment.
    scores = np.float32([3e38, 2e-7, -3e38, 3e38, -2e38, 0, -3e38])
    segments = np.int32([2, 0, 1, 2, 1, 0, 1])
    expected = np.array([0.5, 0.5, 0, 0.5, 1, 0.5, 0])
    assert_close(submission.segment_softmax(scores, segments, 3), expected, atol=1e-6)


@pytest.mark.hint("What is the sum of a segment without a score, and does anybody divide by it?")
def test_empty_segments(submission, rng):
    """Segments without a score, segments with one score, and no score at all."""
    scores, segments = draw(rng, 6, 50)[0], np.int32([40, 3, 50, 3, 17, 40])
    found = submission.segment_softmax(scores, segments, 50)
    assert_close(found, exact(scores, segments, 50), atol=2e-6)
    for n in (1, 3):
        nothing = np.zeros(0, np.float32), np.zeros(0, np.int32)
        assert_close(submission.segment_softmax(*nothing, n), nothing[0])
        one = np.float32([-700]), np.int32([n - 1])
        assert_close(submission.segment_softmax(*one, n), np.float32([1]))


@pytest.mark.hint("What does an index beyond the end read, and what is added where?")
def test_padding_has_no_weight(submission, rng):
    """Padding gives 0, however large its scores are, and no segment notices it."""
    for level in (0, 990, -990, 1e30):
        scores, segments = draw(rng, 30, 4, padding=0.5)
        segments[:3] = 4, 3, 0
        # Padding belongs to no segment, neither to the first nor to the last one.
        scores += np.float32([-300, 0, 0, -300, level])[segments]
        found = submission.segment_softmax(scores, segments, 4)
        assert_close(found, exact(scores, segments, 4), atol=2e-6)


@pytest.mark.hint("Does each score get a gradient from its own segment, and is 0 / 0 anywhere?")
def test_the_gradient(submission, rng):
    """Segments far apart, equal scores, shares of 0 and padding have the right gradients."""
    scores, segments = draw(rng, 120, 5)
    segments[:5] = 4, 4, 5, 0, 0
    scores[:2] = 0
    g = rng.normal(size=120).astype(np.float32)
    gradient = submission.segment_softmax.used_by(pulled)
    assert_close(gradient(scores, segments, g, 5), slopes(scores, segments, 5, g), atol=5e-6)
    scores += np.float32([-200, 0, 500, 60, 0, 900])[segments]
    # The share of a score far below its segment is 0.
    scores[3] -= 300
    found = gradient(scores, segments, g, 5)
    # A score near 1000 is rounded to 3e-5.
    assert_close(found, slopes(scores, segments, 5, g), atol=4e-4)


@pytest.mark.hint("Which of your arrays has a number for each score and each segment?")
def test_no_table_of_scores_and_segments(submission, rng):
    """With hundreds of scores and of segments, no array of the program is a table of both."""
    scores, segments = draw(rng, 500, 300)
    program = submission.segment_softmax.program(scores, segments, 300)
    assert program.largest_intermediate < 500 * 300 / 2
    assert_close(program(scores, segments), exact(scores, segments, 300), atol=2e-6)
    # Many scores, many of them in one segment, and more segments than 16 bits can count.
    scores, segments = draw(rng, 2077, 70_000)
    segments[:600] = 60_000
    segments[1000:] = np.where(segments[1000:] < 70_000, segments[:1077], 70_000)
    found = submission.segment_softmax(scores, segments, 70_000)
    assert_close(found, exact(scores, segments, 70_000), rtol=1e-4)


@pytest.mark.hint("Only n is known while tracing. Each graph of a batch has its own segments.")
def test_a_batch_of_graphs(submission, rng):
    """Under `jit` and `vmap`, each graph of a batch has its own segments."""
    graphs = [draw(rng, 9, 3) for _ in range(3)]
    graphs[0][1][:3] = 3, 2, 2
    found = submission.segment_softmax.used_by(batched).jit(static_argnums=2)(
        *map(np.stack, zip(*graphs, strict=True)), 3
    )
    assert_close(found, np.stack([exact(*graph, 3) for graph in graphs]), atol=2e-6)


def batched(softmax, scores, segments, n):
    return jax.vmap(lambda scores, segments: softmax(scores, segments, n))(scores, segments)
