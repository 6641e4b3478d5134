"""causal_attention(q, k, v, real): neither the future nor the padding is seen.

Values and gradients come from one program, so that the bench computes both.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

LENGTH, D = 7, 4


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


def spoil(rng, real, *arrays):
    """NaN and infinities of both signs at padding."""
    garbage = np.float32([np.nan, np.inf, -np.inf])
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


def both(attend, q, k, v, real, g):
    """The result and the gradients."""
    found, backward = jax.vjp(lambda q, k, v: attend(q, k, v, real), q, k, v)
    return found, *backward(g.astype(found.dtype))


def check(found, *given, atol=5e-5):
    for part, expected in zip(found, exact(*given), strict=True):
        assert_close(part.astype(np.float32), expected, atol=atol)


@pytest.mark.hint(
    "The weights of what is seen add up to 1. Which axis is summed? Which positions see which?"
)
def test_tokens_see_tokens_up_to_themselves(submission, rng):
    """Each token gets the average of the tokens up to itself, weighted by agreement."""
    for length, d in ((LENGTH, D), (9, 3)):
        q, k, v, g = draw(rng, length, d)
        for real in (np.ones(length, bool), masks(rng, length)[0]):
            found = submission.causal_attention(q, k, v, real)
            assert_close(found[real], exact(q, k, v, real, g)[0][real], atol=5e-5)


@pytest.mark.points(3)
@pytest.mark.hint("A softmax of only -inf is NaN. Is it still there, behind your `where`?")
def test_rows_that_see_nothing(submission, rng):
    """With padding anywhere, even at the start, padding gives 0, and no gradient is NaN."""
    q, k, v, g = draw(rng)
    used = submission.causal_attention.used_by(both)
    for real in masks(rng):
        check(used(q, k, v, real, g), q, k, v, real, g)


@pytest.mark.hint("A weight of 0 times NaN is NaN. What can you do to v before the product?")
def test_nothing_gets_out_of_the_padding(submission, rng):
    """NaN and infinities at padding reach no row of the result."""
    for real in masks(rng):
        *given, g = draw(rng)
        given = spoil(rng, real, *given)
        found = submission.causal_attention(*given, real)
        assert_close(found, exact(*given, real, g)[0], atol=5e-5)


@pytest.mark.hint(
    "In the backward pass, each array of the forward pass is multiplied by a gradient."
)
def test_no_gradient_goes_into_the_padding(submission, rng):
    """With NaN and infinities at padding, gradients are right, and 0 at padding."""
    used = submission.causal_attention.used_by(both)
    for real in masks(rng):
        *given, g = draw(rng)
        given = spoil(rng, real, *given)
        check(used(*given, real, g), *given, real, g)


@pytest.mark.points(2)
@pytest.mark.hint("exp(89) overflows. What can you subtract from a row of scores?")
def test_large_scores(submission, rng):
    """Scores of 1000 and of -1000 give the right averages and gradients."""
    used, everything = submission.causal_attention.used_by(both), np.ones(LENGTH, bool)
    # The second position sees low scores only, and others after it see high ones, or the
    # other way round. The scores of either kind differ by at most 8.
    for early, late in ((-1000, 990), (990, -1000)):
        _, _, v, g = draw(rng)
        q, k = np.zeros((2, LENGTH, D), np.float32)
        level = np.where(np.arange(LENGTH) < 3, early, late)
        q[:, 0], k[:, 0] = 40, level / 20 + rng.uniform(0, 0.4, LENGTH)
        found, expected = used(q, k, v, everything, g), exact(q, k, v, everything, g)
        # The gradient of k has a factor of q.
        for part, right, size in zip(found, expected, (1, 1, 20, 1), strict=True):
            assert_close(part, right, atol=5e-3 * size)


@pytest.mark.hint("The padding's place is known only at run time, and differs within a batch.")
def test_a_batch_of_sequences(submission, rng):
    """Under `jit` and `vmap`, each sequence of a batch has its own padding."""
    batch = [(*draw(rng), real) for real in masks(rng)]
    q, k, v, _, real = map(np.stack, zip(*batch, strict=True))
    expected = np.stack([exact(q, k, v, real, g)[0] for q, k, v, g, real in batch])
    assert_close(submission.causal_attention.vmap().jit()(q, k, v, real), expected, atol=5e-5)


def test_details(submission, rng):
    """It works for one position, without any token, and in bfloat16."""
    used, everything = submission.causal_attention.used_by(both), np.ones(LENGTH, bool)
    with case("for one position", hint="Does one of your operations drop axes of length 1?"):
        for real in (np.ones(1, bool), np.zeros(1, bool)):
            q, k, v, g = draw(rng, 1, 3)
            check(used(q, k, v, real, g), q, k, v, real, g)
    with case("without any token", hint="All rows see nothing. Do you divide by their number?"):
        q, k, v, g = draw(rng)
        check(used(q, k, v, ~everything, g), q, k, v, ~everything, g)
    with case(
        "in bfloat16", hint="Which dtype does your result have, and is your mask finite in it?"
    ):
        # Small scores, and values of one sign: a weight of few digits changes little.
        q, k, v, g = (part.astype(jnp.bfloat16) for part in draw(rng))
        q, k = q / 8, k / 8
        real = masks(rng)[2]
        found = used(q, k, abs(v), real, g)
        assert found[0].dtype == jnp.bfloat16
        check(found, q, k, abs(v), real, g, atol=0.2)
