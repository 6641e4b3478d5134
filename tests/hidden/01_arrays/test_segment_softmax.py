"""segment_softmax(scores, segments, n): a softmax within each of many groups."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


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


@pytest.mark.hint("A score is compared only with those in its own segment. Do they add up to 1?")
def test_each_segment_adds_up_to_one(submission, rng):
    """Each score gets its share of its segment, in any order."""
    for count, n in ((7, 2), (9, 9), (6, 1)):
        scores, segments = draw(rng, count, n, padding=0)
        found = submission.segment_softmax(scores, segments, n)
        assert_close(found, exact(scores, segments, n), atol=2e-6)


@pytest.mark.points(4)
@pytest.mark.hint("Which maximum do you subtract? What are the exponentials of the other segments?")
def test_segments_far_apart(submission, rng):
    """Segments whose scores are thousands apart have the same precision as all others."""
    scores, segments = draw(rng, 24, 3, padding=0)
    levels = rng.permutation(np.float32([-2000, 0, 2000]))
    # Sixteenths are exact beside a thousand.
    scores = np.round(16 * scores) / 16 + levels[segments]
    found = submission.segment_softmax(scores, segments, 3)
    assert_close(found, exact(scores, segments, 3), atol=1e-5)


@pytest.mark.hint("What does an index beyond the end read, and what is added where?")
def test_padding_has_no_weight(submission, rng):
    """Padding gives 0, however large its scores are, and affects no segment."""
    for level in (0, 900, -900):
        scores, segments = draw(rng, 30, 4, padding=0.5)
        segments[:3] = 4, 3, 0
        # Padding belongs to no segment, neither to the first nor to the last one.
        scores += np.float32([-300, 0, 0, -300, level])[segments]
        found = submission.segment_softmax(scores, segments, 4)
        assert_close(found, exact(scores, segments, 4), atol=1e-5)


@pytest.mark.hint("Does each score get a gradient from its own segment, and is 0 / 0 anywhere?")
def test_the_gradient(submission, rng):
    """Each score has the right gradient, and padding has none."""
    scores, segments = draw(rng, 40, 5)
    segments[:2], scores[2] = (5, 0), 0
    g = rng.normal(size=40).astype(np.float32)
    found = submission.segment_softmax.used_by(pulled)(scores, segments, g, 5)
    assert_close(found, slopes(scores, segments, 5, g), atol=1e-5)


@pytest.mark.hint("Which of your arrays has a number for each score and each segment?")
def test_no_table_of_scores_and_segments(submission, rng):
    """With hundreds of scores and segments, the program makes no table of both."""
    scores, segments = draw(rng, 500, 300)
    program = submission.segment_softmax.program(scores, segments, 300)
    assert program.elements < 500 * 300 / 2
    assert program.bytes < 8 * 500 * 300
    assert_close(program(scores, segments), exact(scores, segments, 300), atol=1e-5)


def batched(softmax, scores, segments, n):
    return jax.vmap(lambda scores, segments: softmax(scores, segments, n))(scores, segments)


@pytest.mark.hint("Only n is known while tracing. Each graph of a batch has its own segments.")
def test_a_batch_of_graphs(submission, rng):
    """Under `jit` and `vmap`, each graph of a batch has its own segments."""
    graphs = [draw(rng, 9, 3) for _ in range(3)]
    found = submission.segment_softmax.used_by(batched).jit(static_argnums=2)(
        *map(np.stack, zip(*graphs, strict=True)), 3
    )
    assert_close(found, np.stack([exact(*graph, 3) for graph in graphs]), atol=1e-5)


def test_details(submission, rng):
    """It works for empty segments, and for scores that are few or far apart."""
    with case("for segments without a score", hint="Their sum is 0. Does anything divide by it?"):
        scores, segments = draw(rng, 6, 50)[0], np.int32([40, 3, 50, 3, 17, 40])
        found = submission.segment_softmax(scores, segments, 50)
        assert_close(found, exact(scores, segments, 50), atol=1e-5)
    with case("for one score", hint="It is the whole of its segment."):
        one = draw(rng, 1, 3, padding=0)
        assert_close(submission.segment_softmax(*one, 3), np.ones(1), atol=1e-6)
    with case("without any score", hint="Which of your operations needs a score?"):
        nothing = np.zeros(0, np.float32), np.zeros(0, np.int32)
        assert_close(submission.segment_softmax(*nothing, 3), nothing[0])
    with case("within a segment", hint="Which of its scores is the largest?"):
        # It is neither the first nor the last one.
        scores, segments = np.float32([0, -500, 200, -300, 0, -500]), np.int32([0, 1, 0, 1, 0, 1])
        found = submission.segment_softmax(scores, segments, 2)
        assert_close(found, exact(scores, segments, 2), atol=1e-5)
    with case("in the gradient of scores far apart", hint="Is an infinite slope multiplied by 0?"):
        scores, segments = draw(rng, 40, 5)
        segments[:5] = 4, 4, 5, 0, 0
        scores += np.float32([-200, 0, 500, 60, 0, 900])[segments]
        scores[3] -= 300
        g = rng.normal(size=40).astype(np.float32)
        found = submission.segment_softmax.used_by(pulled)(scores, segments, g, 5)
        assert_close(found, slopes(scores, segments, 5, g), atol=1e-3)
