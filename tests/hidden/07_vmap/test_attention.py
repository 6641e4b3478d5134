"""attention(q, k, v): softmax(q k^T / sqrt(d)) v for each sequence of a batch."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.linalg import hadamard

from grader.suite import assert_close

from .calls import each


def draw(rng, batch, length, d):
    """Queries, keys and values of order one."""
    return tuple(rng.standard_normal((batch, length, d), np.float32) for _ in range(3))


def shares(q, k):
    """The weights of the values in float64, which add up to 1 for each query."""
    scores = q.astype(np.float64) @ k.astype(np.float64).swapaxes(1, 2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def averages(q, k, v):
    """Attention in float64."""
    return shares(q, k) @ v.astype(np.float64)


def draw_sizes(rng):
    """[3, 4, 16]: scores of order one from tiny and huge parts; positive values of three sizes."""
    q, k, _ = draw(rng, 3, 4, 16)
    v = rng.uniform(1, 2, size=q.shape)
    # Powers of two change no rounding.
    sizes = 2.0 ** np.array([[20, -20, -20], [-20, 20, 0], [0, 0, 20]])[..., None, None]
    return tuple(
        (part * size).astype(np.float32)
        for part, size in zip((q, k, v), sizes.swapaxes(0, 1), strict=True)
    )


def big_scores(rng, batch):
    """Queries and keys [batch, 4, 16] with scores that are exact, far apart, or equal.

    The keys are orthogonal. Each query agrees or disagrees with another one of them, so that one
    key gets all the weight, or the three others share it. One more direction, which all of them
    have in common, moves all scores of a sequence up by 2000 or down by 2880.
    """
    base, *others = hadamard(16).astype(np.float32)
    keys = np.stack([rng.permutation(others)[:4] for _ in range(batch)])
    sizes = rng.permuted(np.tile([2, 5, -1, 8], (batch, 1)), axis=1)[..., None]
    moves = np.resize([25, -36, 0], batch)[:, None, None]
    queries = sizes * np.roll(keys, 1, axis=1) + moves * base
    return queries.astype(np.float32), 30 * keys + 20 * base


def each_with_slopes(f, calls):
    """The averages of several calls, and the gradients of their sum with weights."""
    found = []
    for *call, weights in calls:
        result, backward = jax.vjp(f, *call)
        found.append((result, backward(weights.astype(result.dtype))))
    return found


def check(result, q, k, v):
    """Averages may be near 0, so the tolerance is absolute; values are of order one."""
    assert_close(result, averages(q, k, v), atol=2e-5)


@pytest.mark.hint(
    "Compare each step with the formula: the product, the scale, the softmax, its axis."
)
def test_values_are_averaged_by_agreement(submission, rng):
    """Each row is the weighted average of its values, for numbers of any size, and for NaN."""
    q, k, v = draw(rng, 3, 4, 16)
    check(submission.attention(q, k, v), q, k, v)
    sizes = draw_sizes(rng)
    assert_close(submission.attention(*sizes), averages(*sizes), rtol=2e-5)
    q, k, v = draw(rng, 3, 4, 16)
    # One query, one key and one number of a value: a row, a sequence and a column.
    q[0, 1, 3], k[1, 2, 0], v[2, 3, 5] = np.nan, np.nan, np.nan
    assert_close(submission.attention(q, k, v), averages(q, k, v), atol=2e-5, nonfinite=True)
    # A weight of exp(-69) counts where the value is exp(69), and exp(69) times a value of 1e30 is
    # infinite. A weight of exp(-200) doesn't count, and that of exp(-80) would.
    q, k, v = np.zeros((3, 3, 4, 16), np.float32)
    gaps = rng.permuted(np.float32([[0, 35, 69, 200]] * 3), axis=1)[..., None]
    q[..., 0], k[..., :1], v[..., 0] = 4, 69 - gaps, 1e30
    v[..., 1:] = np.where(gaps < 100, 1e-8 * np.exp(np.minimum(gaps, 69)), 1e30)
    assert_close(submission.attention(q, k, v), averages(q, k, v), rtol=1e-4)
    # Values of one size, so that a weight of few digits changes little.
    few_digits = [
        part.astype(jnp.bfloat16) for part in (*draw(rng, 3, 4, 16)[:2], 1 + rng.random(q.shape))
    ]
    # An average of 400 values of equal weight: a sum in few digits stops to grow at 256.
    q = np.zeros((2, 400, 8), jnp.bfloat16)
    v = np.sort(rng.uniform(1, 5, size=q.shape), axis=1)
    many_keys = q, q, v.astype(jnp.bfloat16)
    # A score of 4 is a sum of 2000 small products, which stops to grow at 0.7 in few digits.
    q = np.ones((1, 2, 2077), jnp.bfloat16)
    k, v = np.zeros_like(q), np.ones_like(q)
    k[0, 0], v[0, 0] = 0.088, 5
    calls = few_digits, many_keys, (q, k, v)
    found = submission.attention.used_by(each).jit()(calls)
    for result, call in zip(found, calls, strict=True):
        assert_close(np.asarray(result, np.float32), averages(*call), atol=0.1)
    # More positions than a block has, if somebody takes them in blocks. The length is a prime.
    q, k, v = draw(rng, 1, 1103, 2)
    weights = rng.normal(size=v.shape).astype(np.float32)
    many = submission.attention.used_by(each_with_slopes).jit()
    [(found, gradients)] = many([(q, k, v, weights)])
    check(found, q, k, v)
    assert_close(gradients, slopes(q, k, v, weights), atol=2e-5)


def slopes(q, k, v, weights):
    """The gradients of the sum of averages times weights, in float64."""
    part = shares(q, k)
    q, k, v, weights = (a.astype(np.float64) for a in (q, k, v, weights))
    found = weights @ v.swapaxes(1, 2)
    found = part * (found - (part * found).sum(axis=-1, keepdims=True)) / np.sqrt(q.shape[-1])
    return found @ k, found.swapaxes(1, 2) @ q, part.swapaxes(1, 2) @ weights


@pytest.mark.points(3)
@pytest.mark.hint(
    "What does `.T` do to three axes? When all have the same length, the shapes still fit."
)
def test_nothing_is_transposed_when_every_shape_fits(submission, rng):
    """With B = T = d, values and gradients of batch, positions and features are not mixed up."""
    q, k, v = draw(rng, 4, 4, 4)
    q[0, 1, 2] = k[1, 2, 0] = v[2, 0, 3] = 0
    weights = rng.normal(size=v.shape).astype(np.float32)
    program = submission.attention.used_by(each_with_slopes).jit()
    [(found, gradients)] = program([(q, k, v, weights)])
    check(found, q, k, v)
    assert_close(gradients, slopes(q, k, v, weights), atol=5e-5)


@pytest.mark.hint("Try T = 1: the only weight is 1. Does one of your operations drop that axis?")
def test_axes_of_length_one_are_kept(submission, rng):
    """A batch of one or none, a sequence of one and vectors of one number keep all axes."""
    calls = [draw(rng, *shape) for shape in ((1, 4, 3), (2, 1, 1), (0, 4, 3))]
    found = submission.attention.used_by(each).jit()(calls)
    for result, call in zip(found, calls, strict=True):
        check(result, *call)


@pytest.mark.points(2)
@pytest.mark.hint(
    "exp(89) overflows. What can you subtract from a row of scores without an effect?"
)
def test_big_scores_are_no_problem(submission, rng):
    """Scores beyond a thousand, of both signs, far apart, give finite averages and gradients."""
    # So many sequences that a gradient which ends after some of them shows.
    q, k = big_scores(rng, batch=70)
    v = draw(rng, 70, 4, 16)[2]
    # In float32 a score of 3000 is accurate to 2e-4, and so is a weight.
    few = q[:3], k[:3], v[:3]
    assert_close(submission.attention(*few), averages(*few), atol=5e-3)
    weights = rng.normal(size=v.shape).astype(np.float32)
    # Scores of 3000 and -3000, which are exact in half precision. Two keys share the weight.
    half = np.zeros((2, 3, 4, 16), jnp.bfloat16)
    half[0, ..., 0] = rng.choice([-120, 120], (3, 4))
    half[1, ..., 0] = rng.permuted([[-100, -100, 100, 100]] * 3, axis=1)
    half = (*half, v[:3].astype(jnp.bfloat16), weights[:3].astype(jnp.bfloat16))
    grad = submission.attention.used_by(each_with_slopes).jit()
    (_, found), (_, in_half) = grad([(q, k, v, weights), half])
    # Where three keys share the weight, queries and keys have gradients, too.
    assert_close(found, slopes(q, k, v, weights), atol=0.02)
    # In half precision, slopes of up to 250 are sums of rounded products.
    *found, by_values = (np.asarray(part, np.float32) for part in in_half)
    *expected, averaged = slopes(*half)
    assert_close(found, expected, atol=10)
    assert_close(by_values, averaged, atol=0.1)


@pytest.mark.points(2)
@pytest.mark.hint("A Python loop puts a copy of its body into the program for each sequence.")
def test_the_program_does_not_grow(submission, rng):
    """The program for a large batch is as small as the one for a batch of two."""
    # Nor is there a loop over blocks of sequences, which don't divide this batch.
    few, many = (submission.attention.program(*draw(rng, batch, 4, 3)) for batch in (2, 1103))
    assert many.size == few.size
    # A small program can be made as big as a big one. But no loop over the batch fits in here.
    assert many.size < 200
    q, k, v = draw(rng, 1103, 4, 3)
    check(many(q, k, v), q, k, v)


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
