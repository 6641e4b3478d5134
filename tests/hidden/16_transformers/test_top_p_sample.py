"""top_p_sample(key, logits, p): the set that is drawn from, and how often each token comes up.

No test asks for particular draws. Each token of a nucleus is drawn in 3 of 100 rows at least, so in
2000 rows it is missing less than once in 10^26 runs.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case, key

# Sums of the largest: 0.4, 0.65, 0.8, 0.9, 0.96, 1.
SHARES = np.array([0.4, 0.25, 0.15, 0.1, 0.06, 0.04])
COUNT = 2000


def rows_of(rng, shares, kinds=3):
    """Rows of logits, of so many kinds, in which the tokens have these shares in some order."""
    kind = np.stack([rng.permutation(np.log(shares)) + rng.normal(scale=2) for _ in range(kinds)])
    return np.repeat(kind, COUNT, axis=0).astype(np.float32)


def nucleus(row, p):
    """Whether each token of a row is in its nucleus, in float64."""
    sizes = np.exp(row.astype(np.float64) - row.max())
    order = np.argsort(-sizes, kind="stable")
    sizes = sizes[order] / sizes.sum()
    keep = np.zeros(len(row), bool)
    keep[order] = np.cumsum(sizes) - sizes < p
    return keep


def draws(submission, rng, logits, p, transformed=None):
    found = (transformed or submission.top_p_sample)(key(rng), logits, p)
    assert np.shape(found) == (len(logits),)
    assert found.dtype == np.int32
    return np.asarray(found)


def covers(found, logits, p, count=COUNT):
    """For each kind of rows, the tokens that came up are those of the nucleus."""
    for start in range(0, len(logits), count):
        seen = np.bincount(found[start : start + count], minlength=logits.shape[1]) > 0
        keep = nucleus(logits[start], p)
        assert not (seen & ~keep).any(), f"with p = {p:.2f}, a token outside the nucleus is drawn"
        assert not (keep & ~seen).any(), f"with p = {p:.2f}, a token of the nucleus is never drawn"


@pytest.mark.points(3)
@pytest.mark.hint("Does the token that crosses p belong to the set? And which axis do you sort?")
def test_the_nucleus_is_drawn_from(submission, rng):
    """Each token of the nucleus is drawn, and no other."""
    for p in (0.5, 0.72, 0.93):
        logits = rows_of(rng, SHARES)
        covers(draws(submission, rng, logits, p), logits, p)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Within the nucleus, the probabilities keep their ratios. Do all rows draw the same?"
)
def test_tokens_come_up_as_often_as_their_probabilities_say(submission, rng):
    """Within the nucleus, tokens come up in proportion to their probabilities, row by row."""
    for p in (0.93, 0.72):
        logits = rows_of(rng, SHARES)
        found = draws(submission, rng, logits, p)
        for start in range(0, len(logits), COUNT):
            row = logits[start].astype(np.float64)
            weights = np.where(nucleus(logits[start], p), np.exp(row - row.max()), 0)
            expected = COUNT * weights / weights.sum()
            counts = np.bincount(found[start : start + COUNT], minlength=len(row))
            # Seven standard errors, and room for the skewness of small numbers.
            room = 7 * np.sqrt(expected) + 7
            worst = np.argmax(abs(counts - expected) / room)
            assert abs(counts[worst] - expected[worst]) < room[worst], (
                f"with p = {p}, a token came up {counts[worst]} times in {COUNT} equal rows, and "
                f"it should be {expected[worst]:.0f} times, give or take {room[worst]:.0f}"
            )


@pytest.mark.hint("The sum before the first token is 0. Is it less than p?")
def test_the_most_probable_token_always_remains(submission, rng):
    """With a small p, each row draws its most probable token."""
    logits = rows_of(rng, SHARES)
    for p in (1e-6, 0.1, 0.3):
        assert_close(draws(submission, rng, logits, p), logits.argmax(axis=1).astype(np.int32))


@pytest.mark.hint("A threshold keeps all tokens that equal it. A place in the order doesn't.")
def test_the_set_is_the_smallest_one_also_with_ties(submission, rng):
    """Of tokens with the same logit, the lower indices come first, and no more than needed."""
    shares = np.log([0.4, 0.12, 0.12, 0.12, 0.12, 0.12])
    kinds = [rng.permutation(shares) for _ in range(5)] + [np.zeros(6)]
    logits = np.repeat(np.float32(kinds), COUNT // 2, axis=0)
    for p in (0.48, 0.61):
        covers(draws(submission, rng, logits, p), logits, p, COUNT // 2)


@pytest.mark.points(2)
@pytest.mark.hint("While tracing, p has no value. The number of kept tokens can't be a shape.")
def test_one_program_serves_every_p(submission, rng):
    """Under `jit` one program is right for each p, and the key alone decides what is drawn."""
    logits = rows_of(rng, SHARES)
    own, other = key(rng), key(rng)
    program = submission.top_p_sample.jit().program(own, logits, np.float32(0.5))
    for p in (0.3, 0.72, 0.93):
        found = np.asarray(program(own, logits, np.float32(p)))
        covers(found, logits, p)
        if p == 0.93:
            again = program(own, logits, np.float32(p))
            assert np.mean(found == again) == 1, "the same key draws other tokens"
            assert np.mean(found == program(other, logits, np.float32(p))) < 0.9, (
                "another key draws the same tokens"
            )


def test_details(submission, rng):
    """It works for p = 1, logits of any size, half precision, and sizes of 1."""
    with case("with p = 1", hint="All tokens are in the nucleus, however the sums are rounded."):
        logits = rows_of(rng, SHARES)
        covers(draws(submission, rng, logits, 1.0), logits, 2.0)
    with case("where logits are -inf", hint="What becomes of -inf in each step?"):
        logits = rows_of(rng, SHARES[:4])
        gap = np.full((len(logits), 1), -np.inf, np.float32)
        logits = np.concatenate([logits[:, :2], gap, logits[:, 2:], gap], axis=1)
        for p in (1.0, 0.75):
            covers(draws(submission, rng, logits, p), logits, min(p, 0.99))
    with case("for large logits", hint="exp(89) overflows. `jax.nn.softmax` avoids this."):
        logits = rows_of(rng, SHARES) + np.repeat(np.float32([[1000], [-1000], [500]]), COUNT, 0)
        covers(draws(submission, rng, logits, 0.72), logits, 0.72)
    compiled = submission.top_p_sample.jit()
    with case("in half precision", hint="Cast the logits to float32 first."):
        logits = np.zeros((300, 300), jnp.bfloat16)
        found = draws(submission, rng, logits, np.float32(180.5 / 300), compiled)
        assert found.max() <= 190, "a token outside the nucleus is drawn"
        assert found.max() > 120, "tokens of the nucleus are never drawn"
    with case("for sizes of 1", hint="Does one of your operations drop axes of length 1?"):
        for logits in (np.zeros((3, 1), np.float32), np.float32([[0, 5, 1]])):
            found = draws(submission, rng, logits, np.float32(0.5), compiled)
            assert_close(found, logits.argmax(axis=1).astype(np.int32))
