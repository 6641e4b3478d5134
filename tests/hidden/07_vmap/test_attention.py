"""attention(q, k, v): softmax(q k^T / sqrt(d)) v for each sequence of a batch."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.linalg import hadamard

from grader.judge import assert_close


def draw(rng, batch, length, d):
    """Queries, keys and values of order one."""
    return tuple(rng.normal(size=(batch, length, d)).astype(np.float32) for _ in range(3))


def averages(q, k, v):
    """Attention in float64, one query at a time."""
    q, k, v = (a.astype(np.float64) for a in (q, k, v))
    result = np.empty_like(q)
    for b, t in np.ndindex(q.shape[:2]):
        scores = k[b] @ q[b, t] / np.sqrt(q.shape[-1])
        weights = np.exp(scores - scores.max())
        result[b, t] = weights @ v[b] / weights.sum()
    return result


def big_scores(rng, batch):
    """Queries and keys [batch, 4, 16] with scores that are exact, far apart, or equal.

    Keys are orthogonal, and each query agrees or disagrees with another one of them, so that one
    key takes it all, or three share it. What is added along one more direction moves all scores
    of a sequence up or down by 1200.
    """
    base, *others = hadamard(16).astype(np.float32)
    keys = np.stack([rng.permutation(others)[:4] for _ in range(batch)])
    sizes = rng.permuted(np.tile([2, 5, -3, 8], (batch, 1)), axis=1)[..., None]
    moves = np.resize([15, -15, 0], batch)[:, None, None]
    queries = sizes * np.roll(keys, 1, axis=1) + moves * base
    return queries.astype(np.float32), 30 * keys + 20 * base


def check(result, q, k, v):
    """An average may cancel, so the tolerance is absolute; values are of order one."""
    assert_close(result, averages(q, k, v), atol=2e-5)


@pytest.mark.visible
@pytest.mark.hint(
    "Compare each step with the formula: the product, the scale, the softmax, its axis."
)
def test_values_are_averaged_by_agreement(submission, rng):
    """Each row is the weighted average of its sequence's values."""
    q, k, v = draw(rng, 3, 4, 16)
    check(submission.attention(q, k, v), q, k, v)


@pytest.mark.points(2)
@pytest.mark.hint(
    "What does `.T` do to three axes? When all have one length, the shapes fit anyway."
)
def test_nothing_is_transposed_when_every_shape_fits(submission, rng):
    """With B = T = d, batch, positions and features are still kept apart."""
    q, k, v = draw(rng, 4, 4, 4)
    check(submission.attention(q, k, v), q, k, v)


@pytest.mark.hint("Try T = 1: the only weight is 1. Is an axis of length 1 lost on the way?")
def test_axes_of_length_one_are_kept(submission, rng):
    """A batch of one, a sequence of one and vectors of one number come out right."""
    for batch, length, d in [(1, 4, 3), (2, 1, 1)]:
        q, k, v = draw(rng, batch, length, d)
        check(submission.attention(q, k, v), q, k, v)


@pytest.mark.points(2)
@pytest.mark.hint("exp overflows from 89 on. What can you subtract from a row without changing it?")
def test_big_scores_are_no_problem(submission, rng):
    """Scores of a thousand and more, of either sign and far apart, give finite averages."""
    q, k = big_scores(rng, batch=3)
    v = draw(rng, 3, 4, 16)[2]
    # Float32 holds a score of 2000 to a ten-thousandth, and a weight is no better.
    assert_close(submission.attention(q, k, v), averages(q, k, v), atol=5e-3)


@pytest.mark.points(2)
@pytest.mark.hint("A Python loop over the batch puts a copy of its body in the program for each.")
def test_the_program_does_not_grow(submission, rng):
    """A batch of twenty needs a program as small as a batch of two."""
    few, many = (submission.attention.program(*draw(rng, batch, 4, 3)) for batch in (2, 20))
    q, k, v = draw(rng, 20, 4, 3)
    check(many(q, k, v), q, k, v)
    assert many.size == few.size


def loop(q, k, v):
    """One sequence after the other, operation by operation."""
    found = []
    for query, key, value in zip(q, k, v, strict=True):
        scores = query @ key.T / np.sqrt(q.shape[-1], dtype=np.float32)
        found.append(jax.nn.softmax(scores, axis=-1) @ value)
    return jnp.stack(found)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Map one sequence over the batch. No sequence looks at another, so compute no such scores."
)
def test_it_is_fast(submission, race):
    """Compiled, it runs at least 10 times as fast as a Python loop over the batch."""
    race(
        submission.attention,
        baseline=loop,
        args=lambda rng: draw(rng, 80, 20, 8),
        at_least=10,
        check=check,
    )
