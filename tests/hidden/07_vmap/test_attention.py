"""attention(q, k, v): softmax(q k^T / sqrt(d)) v for each sequence of a batch."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, batch, length, d):
    """Queries, keys and values of order one."""
    return tuple(rng.standard_normal((batch, length, d), np.float32) for _ in range(3))


def draw_big(rng):
    """Scores from -3000 to 3000, exact in float32: for each query, two keys have the largest."""
    q, k, v = draw(rng, 3, 6, 16)
    q[:], k[:] = 0, 0
    q[..., 0] = rng.choice([-120, 120], (3, 6))
    k[..., 0] = rng.permuted([[-100, -100, -60, 60, 100, 100]] * 3, axis=1)
    return q, k, v


def shares(q, k):
    """The weights of the values in float64, which add up to 1 for each query."""
    scores = q.astype(np.float64) @ k.astype(np.float64).swapaxes(1, 2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def averages(q, k, v):
    """Attention in float64."""
    return shares(q, k) @ v.astype(np.float64)


def weighted(f, q, k, v, weights):
    """A number whose gradients are known."""
    return (f(q, k, v) * weights).sum()


def slopes(q, k, v, weights):
    """The gradients of `weighted`, in float64."""
    part = shares(q, k)
    q, k, v, weights = (a.astype(np.float64) for a in (q, k, v, weights))
    found = weights @ v.swapaxes(1, 2)
    found = part * (found - (part * found).sum(axis=-1, keepdims=True)) / np.sqrt(q.shape[-1])
    return found @ k, found.swapaxes(1, 2) @ q, part.swapaxes(1, 2) @ weights


def check(result, q, k, v):
    """Averages may be near 0, so the tolerance is absolute; values are of order one."""
    assert_close(result, averages(q, k, v), atol=5e-5)


@pytest.mark.hint(
    "Compare each step with the formula: the product, the scale, the softmax, its axis."
)
def test_values_are_averaged_by_agreement(submission, rng):
    """Each row is the average of the values, weighted by the agreement of query and key."""
    with case("for one sequence"):
        for length, d in ((4, 16), (7, 5)):
            q, k, v = draw(rng, 1, length, d)
            check(submission.attention(q, k, v), q, k, v)
    with case(
        "for three sequences",
        hint="One sequence alone was right. Does a position look into another sequence?",
    ):
        q, k, v = draw(rng, 3, 4, 16)
        check(submission.attention(q, k, v), q, k, v)


@pytest.mark.points(2)
@pytest.mark.hint(
    "What does `.T` do to three axes? When all have the same length, the shapes still fit."
)
def test_nothing_is_transposed_when_every_shape_fits(submission, rng):
    """With B = T = d, batch, positions and features are not mixed up."""
    q, k, v = draw(rng, 4, 4, 4)
    check(submission.attention(q, k, v), q, k, v)


@pytest.mark.points(2)
@pytest.mark.hint(
    "exp(89) overflows. What can you subtract from a row of scores without changing the result?"
)
def test_big_scores_are_no_problem(submission, rng):
    """Scores of 3000 and of -3000 give finite averages, and the right ones."""
    q, k, v = draw_big(rng)
    # One query is near 0, so that its scores are small.
    q[0, 1] /= 100
    # In float32 a score of 3000 is accurate to 2e-4, and so is a weight.
    assert_close(submission.attention(q, k, v), averages(q, k, v), atol=5e-3)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop adds a copy of its body to the program for each sequence.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 300 sequences has fewer operations than sequences."""
    q, k, v = draw(rng, 300, 4, 3)
    program = submission.attention.program(q, k, v)
    assert program.size < 300
    check(program(q, k, v), q, k, v)


def loop(q, k, v):
    """One sequence after the other, operation by operation."""
    found = []
    for query, key, value in zip(q, k, v, strict=True):
        scores = query @ key.T / np.sqrt(q.shape[-1], dtype=np.float32)
        found.append(jax.nn.softmax(scores, axis=-1) @ value)
    return jnp.stack(found)


@pytest.mark.hint(
    "Map the code for one sequence over the batch. Don't compute scores between sequences."
)
def test_it_is_fast(submission, race):
    """Compiled, it runs at least 11 times as fast as a Python loop over the batch."""
    race(
        submission.attention,
        baseline=loop,
        args=lambda rng: draw(rng, 100, 30, 8),
        # Ten calls of a program that is just as fast as asked for balance one of the loop.
        at_least=11,
        check=check,
    )


def test_details(submission, rng):
    """It works for small axes, in half precision, in the gradients, and with NaN."""
    with case("for a batch of none", hint="Do you stack a list? It would be empty."):
        q, k, v = draw(rng, 0, 4, 3)
        check(submission.attention(q, k, v), q, k, v)
    with case("for axes of length 1", hint="Does one of your operations drop such axes?"):
        for shape in ((1, 4, 3), (2, 1, 1)):
            q, k, v = draw(rng, *shape)
            check(submission.attention(q, k, v), q, k, v)
    with case("in half precision", hint="In which dtype do you sum scores and weights?"):
        # Values of one sign, so that a weight of few digits changes little.
        half = [a.astype(jnp.bfloat16) for a in draw(rng, 3, 4, 16)]
        half[2] = abs(half[2])
        found = submission.attention(*half)
        assert_close(np.asarray(found, np.float32), averages(*half), atol=0.1)
    grad = submission.attention.used_by(weighted).grad(argnums=(0, 1, 2))
    with case("in the gradients", hint="Does each step have a gradient, in all three arguments?"):
        q, k, v = draw(rng, 3, 4, 16)
        weights = rng.standard_normal(v.shape, np.float32)
        assert_close(grad(q, k, v, weights), slopes(q, k, v, weights), atol=1e-4)
    with case(
        "in the gradients for big scores",
        hint="`where` chooses a value. Its gradient passes through both sides: 0 times infinity?",
    ):
        q, k, v = draw_big(rng)
        weights = rng.standard_normal(v.shape, np.float32)
        assert_close(grad(q, k, v, weights), slopes(q, k, v, weights), rtol=1e-3, atol=0.02)
    with case("where one sequence has NaN", hint="Do sequences mix? 0 times NaN is NaN."):
        q, k, v = draw(rng, 3, 4, 16)
        k[1, 2, 0] = v[1, 3, 1] = np.nan
        found = submission.attention(q, k, v)
        check(found[::2], *(a[::2] for a in (q, k, v)))
