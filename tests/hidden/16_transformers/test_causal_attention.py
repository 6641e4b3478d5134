"""causal_attention(q, k, v, real): neither the future nor the padding is seen.

Values and gradients come from one program, so that the bench computes both.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

LENGTH, D = 7, 4
NUMBERS = np.cos(np.arange(3 * LENGTH * D, dtype=np.float32)).reshape(3, LENGTH, D)
REAL = np.array([False, True, False, True, True, False, True])


def draw(rng, length=LENGTH, d=D):
    """Queries, keys, values and weights of the results, all of order one."""
    return [rng.normal(size=(length, d)).astype(np.float32) for _ in range(4)]


def masks(rng, length=LENGTH):
    """Padding at the end, at the start, and anywhere with both ends of it."""
    count = int(rng.integers(2, length - 2))
    at_end = np.arange(length) < count
    anywhere = rng.permuted(np.arange(length) < length // 2)
    anywhere[[0, 1, 3, -1]] = False, True, False, True
    return at_end, ~at_end, anywhere


def spoil(rng, real, *arrays, garbage=(np.nan, np.inf, -np.inf)):
    """NaN and infinities of both signs at padding."""
    garbage = np.float32(garbage)
    return [np.where(real[:, None], x, rng.choice(garbage, x.shape)) for x in arrays]


def exact(q, k, v, real, g):
    """Result and gradients in float64, by the formulas; `g` is the gradient that arrives."""
    q, k, v, g = (np.where(real[:, None], x, 0).astype(np.float64) for x in (q, k, v, g))
    scores = q @ k.T / np.sqrt(q.shape[1])
    sees = np.tril(np.ones(scores.shape, bool)) & real & real[:, None]
    scores = np.where(sees, scores, -np.inf)
    top = np.where(real, scores.max(axis=1), 0)[:, None]
    weights = np.exp(scores - top)
    weights /= np.where(real, weights.sum(axis=1), 1)[:, None]
    slopes = g @ v.T
    slopes = weights * (slopes - (weights * slopes).sum(axis=1, keepdims=True))
    slopes /= np.sqrt(q.shape[1])
    return weights @ v, slopes @ k, slopes.T @ q, weights.T @ g


def row(q, k, v, real, t):
    """Row t of the result, in float64."""
    seen = np.flatnonzero(real[: t + 1])
    scores = k[seen].astype(np.float64) @ q[t] / np.sqrt(q.shape[1])
    weights = np.exp(scores - scores.max())
    return weights @ v[seen] / weights.sum()


def both(attend, q, k, v, real, g):
    """The result and the gradients."""
    found, backward = jax.vjp(lambda q, k, v: attend(q, k, v, real), q, k, v)
    return found, *backward(g.astype(found.dtype))


def partly_known(attend, q, k, v, real, g):
    """Known numbers with any padding, and a known padding with any numbers."""
    with jax.ensure_compile_time_eval():
        *known, known_real = map(jnp.asarray, (*NUMBERS, REAL))
    return attend(*known, real), both(attend, q, k, v, known_real, g)


def check(found, *given, atol=4e-5):
    for part, expected in zip(found, exact(*given), strict=True):
        assert_close(part.astype(np.float32), expected, atol=atol)


@pytest.mark.hint("The weights of what is seen add up to 1. Which axis is summed? Who sees whom?")
def test_tokens_see_tokens_up_to_themselves(submission, rng):
    """Each token gets the average of the tokens up to itself, weighted by agreement."""
    q, k, v, g = draw(rng)
    everything, (at_end, *_) = np.ones(LENGTH, bool), masks(rng)
    for real in (everything, at_end):
        found = submission.causal_attention(q, k, v, real)
        assert_close(found[real], exact(q, k, v, real, g)[0][real], atol=2e-5)


@pytest.mark.hint("Do your constants or lengths fit every length, size and dtype?")
def test_any_length_size_and_dtype(submission, rng):
    """One position, two thousand, huge and tiny numbers, and bfloat16."""
    for length, d in ((1, 3), (2077, 1)):
        q, k, v, _ = draw(rng, length, d)
        real = rng.random(length) < 0.7
        real[[0, -1]] = True
        # Some rows of the long sequence are enough, and its last one.
        some = np.append(rng.choice(np.flatnonzero(real), 200), length - 1)
        found = submission.causal_attention(q, k, v, real)[some]
        assert_close(found, np.stack([row(q, k, v, real, t) for t in some]), atol=2e-5)
    for sizes in np.float32([[2e6, 5e-7, 3e6], [5e-7, 2e6, 1e-7]]):
        *parts, g = draw(rng)
        q, k, v = (size * part for size, part in zip(sizes, parts, strict=True))
        real = masks(rng)[2]
        found = submission.causal_attention(q, k, v, real)[real]
        assert_close(found, exact(q, k, v, real, g)[0][real], atol=3e-5 * sizes[2])
    # Values of one size, so that a weight of few digits changes little.
    q, k, v, g = (part.astype(jnp.bfloat16) for part in draw(rng))
    v = np.abs(v) + np.asarray(1, jnp.bfloat16)
    found = submission.causal_attention(q, k, v, real)
    assert found.dtype == jnp.bfloat16
    found = found.astype(np.float32)[real]
    assert_close(found, exact(q, k, v, real, g)[0][real], atol=0.1)


@pytest.mark.hint("exp(89) overflows. What can you subtract from a row of scores?")
def test_large_scores(submission, rng):
    """Scores of -1000 and of 1000 count as all others do, also in the backward pass."""
    _, _, v, g = draw(rng)
    real, everything = masks(rng)[2], np.ones(LENGTH, bool)
    used = submission.causal_attention.used_by(both)
    # The second position sees low scores only, and others beside it and after it see high ones.
    for early, late in ((-1000, -1000), (990, 990), (-1000, 990), (990, -1000)):
        # Of either kind, the scores of a row differ by at most 8: nearly all have some weight.
        q, k = np.zeros((2, LENGTH, D), np.float32)
        level = np.where(np.arange(LENGTH) < 3, early, late)
        q[:, 0], k[:, 0] = 40, level / 20 + rng.uniform(0, 0.4, LENGTH)
        found = submission.causal_attention(q, k, v, real)[real]
        assert_close(found, exact(q, k, v, real, g)[0][real], atol=2e-3)
        parts = zip(used(q, k, v, everything, g), exact(q, k, v, everything, g), strict=True)
        # The gradient of k has a factor of q.
        for (found, expected), size in zip(parts, (1, 1, 20, 1), strict=True):
            assert_close(found, expected, atol=2e-3 * size)


@pytest.mark.points(4)
@pytest.mark.hint("A softmax of nothing but -inf is NaN. Is it still there, behind your `where`?")
def test_rows_that_see_nothing(submission, rng):
    """With padding anywhere, also at the start, padding gives 0, and no gradient is NaN."""
    q, k, v, g = draw(rng)
    q[-1, 0] = k[-1, 1] = v[-1, 2] = 0
    used = submission.causal_attention.used_by(both)
    for real in (*masks(rng)[::-1], np.zeros(LENGTH, bool), np.ones(LENGTH, bool)):
        check(used(q, k, v, real, g), q, k, v, real, g)
    given = [part.astype(jnp.bfloat16) for part in (q, k, v)]
    real, g = masks(rng)[2], g.astype(jnp.bfloat16)
    check(used(*given, real, g), *given, real, g, atol=0.2)
    # One position, which is padding.
    *alone, _ = draw(rng, 1, 3)
    found = submission.causal_attention(*alone, np.zeros(1, bool))
    assert_close(found, np.zeros((1, 3), np.float32))


@pytest.mark.hint("A weight of 0 times NaN is NaN. What can you do to v before the product?")
def test_nothing_gets_out_of_the_padding(submission, rng):
    """NaN and infinities at padding reach no row of the result."""
    used = submission.causal_attention.used_by(both)
    for real in masks(rng):
        *given, g = draw(rng)
        given = spoil(rng, real, *given)
        expected = exact(*given, real, g)[0]
        assert_close(used(*given, real, g)[0], expected, atol=2e-5)


@pytest.mark.hint(
    "In the backward pass, each array of the forward pass is multiplied by a gradient."
)
def test_no_gradient_goes_into_the_padding(submission, rng):
    """With NaN, infinities or huge numbers at padding, gradients are right, and 0 at padding."""
    used = submission.causal_attention.used_by(both)
    for real in masks(rng, 70):
        q, k, v, g = draw(rng, 70)
        given = spoil(rng, real, q, k, v)
        check(used(*given, real, g), *given, real, g)
        # With keys beyond 1, the scores overflow.
        given = spoil(rng, real, q, np.abs(k) + 1, v, garbage=[3e38])
        check(used(*given, real, g), *given, real, g)


@pytest.mark.hint("Where the padding is, is known at run time only, and differs within a batch.")
def test_a_batch_of_sequences(submission, rng):
    """Under `jit` and `vmap`, each sequence of a batch has its own padding."""
    batch = []
    for real in masks(rng):
        *given, g = draw(rng)
        batch.append((*spoil(rng, real, *given), real, g))
    *given, _ = map(np.stack, zip(*batch, strict=True))
    expected = np.stack([exact(*sequence)[0] for sequence in batch])
    assert_close(submission.causal_attention.vmap().jit()(*given), expected, atol=2e-5)
    # In a program, some of the arguments may be known.
    *given, g = draw(rng)
    known, found = submission.causal_attention.used_by(partly_known).jit()(*given, real, g)
    assert_close(known, exact(*NUMBERS, real, g)[0], atol=2e-5)
    check(found, *given, REAL, g)
