"""gumbel_sample(key, logits, temperature): a class for each row, by the law of its logits.

Tests of randomness compare the numbers of draws with what the law expects, with bounds at six
standard errors or more: a right answer fails less than once in ten million runs. No test asks for
particular draws.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, key

from .chance import (
    all_differ,
    by_key,
    independent,
    many_keys,
    most_alike,
    related_keys,
    returns,
    unrelated_by_key,
)


def draws(submission, rng, logits, temperature):
    """The classes of a plain call, each of them possible."""
    found = submission.gumbel_sample(key(rng), logits, temperature)
    assert np.shape(found) == (len(logits),), "the shape is wrong"
    assert found.dtype == np.int32, "the dtype is wrong"
    assert (found >= 0).all() and (found < logits.shape[1]).all(), "there is no such class"
    return found


def softmax(logits, temperature=1.0):
    """The probabilities of one row, in float64."""
    scaled = np.asarray(logits, np.float64) / temperature
    weights = np.exp(scaled - scaled.max())
    return weights / weights.sum()


def follow(found, chances):
    """Whether each class came up about as often as its probability says."""
    counts = np.bincount(np.ravel(found), minlength=len(chances))
    expected = np.size(found) * chances
    # Six standard errors, and room for the skewness of small numbers.
    return (abs(counts - expected) < 6 * np.sqrt(expected * (1 - chances)) + 6).all()


def with_many_classes(gumbel_sample, key, logits):
    """The draws among a million classes that are equally likely."""
    return gumbel_sample(key, jnp.broadcast_to(logits[:, None], (14, 1_000_000)), 1.0)


def packed(gumbel_sample, keys, logits):
    """For each key, the draws of 16 rows of four classes, as a number of 32 bits."""

    def draw(key):
        found = gumbel_sample(key, logits, jnp.float32(1)).astype(jnp.uint32)
        return jnp.sum(found << 2 * jnp.arange(16, dtype=jnp.uint32))

    return jax.jit(jax.vmap(draw))(keys)


def draws_by_key(submission, keys):
    """The draws of 300 equal rows for each of 129 keys."""
    logits = np.float32(np.log([[2, 3, 5]])).repeat(300, axis=0)
    found = submission.gumbel_sample.used_by(by_key)(keys, logits, np.float32(1))
    assert np.shape(found) == (129, 300), "the shape is wrong"
    return np.asarray(found)


def coins(submission, rng):
    """Whether each of 15 x 20 rows drew class 1, for each of many keys; mean 0 and variance 1."""
    found = draws_by_key(submission, related_keys(rng))
    return ((found == 1) - 0.3).reshape(129, 15, 20) / np.sqrt(0.3 * 0.7)


@pytest.mark.hint("The result has one class per row: along which axis do you look for the largest?")
def test_every_row_draws_a_class(submission, rng):
    """There is one class for each row, as an int32 that is less than the number of classes."""
    for shape in [(4, 3), (1, 1), (300, 2), (2, 300), (3, 3), (5, 1)]:
        found = draws(submission, rng, rng.normal(size=shape).astype(np.float32), 1.0)
        assert found.max() < shape[1]
    # A logit that is far above the others wins, whatever the noise.
    best = rng.integers(7, size=90)
    logits = np.where(np.arange(7) == best[:, None], 200.0, 0.0).astype(np.float32)
    assert_close(draws(submission, rng, logits, 1.0), best.astype(np.int32))


@pytest.mark.points(2)
@pytest.mark.hint("Is the noise of the right kind, and is it scaled by the temperature?")
def test_the_law_is_that_of_the_logits(submission, rng):
    """Classes come up as often as their logits and the temperature say, in rows of any level."""
    for temperature, size in [(1.0, 4), (0.4, 4), (3.0, 9), (0.001, 4), (1000.0, 4)]:
        row = rng.permutation(temperature * np.linspace(0, rng.uniform(4, 6), size))
        # A number that is added to a whole row makes no difference: 100 * T is exact enough.
        level = 100 * temperature * rng.choice([-1, 1], size=(40_000, 1))
        logits = (row + level).astype(np.float32)
        found = draws(submission, rng, logits, temperature)
        assert follow(found, softmax(row, temperature)), (
            "the numbers do not follow the law that is asked for"
        )
    # Many classes.
    row = rng.normal(size=400)
    found = draws(submission, rng, np.float32(row)[None].repeat(3000, axis=0), 1.0)
    assert follow(found, softmax(row)), "the numbers do not follow the law that is asked for"
    # A million equal logits. If the noise has few values, many classes share the largest one, and
    # the first of them is drawn.
    level = np.zeros(14, np.float32)
    found = submission.gumbel_sample.used_by(with_many_classes)(key(rng), level)
    assert np.shape(found) == (14,), "the shape is wrong"
    assert 130_000 < np.mean(found) < 870_000


@pytest.mark.points(3)
@pytest.mark.hint("How many random numbers do you draw? Noise of one row broadcasts to all rows.")
def test_rows_draw_independently(submission, rng):
    """Equal rows of a batch draw independently of each other."""
    assert independent(coins(submission, rng)), "numbers that should be independent are alike"
    # Nor do blocks of a large batch draw together.
    logits = np.float32(np.log([[2, 3, 5]])).repeat(100_000, axis=0)
    found = draws(submission, rng, logits, 1.0) == 1
    assert not returns(found), "the same numbers come again later"
    # Nor does the last row draw as the first one, and so on: 0.3 * 0.3 + 0.7 * 0.7 are equal.
    assert abs(np.mean(found == found[::-1]) - 0.58) < 0.01


@pytest.mark.hint("What becomes of -inf in each step? It has to lose against every number.")
def test_an_impossible_class_is_never_drawn(submission, rng):
    """A class whose logit is -inf never comes up, at any temperature and beside huge logits."""
    for temperature in (0.0, 1.0, 1000.0):
        logits = rng.uniform(-1, 1, size=(3000, 5)) * 10 ** rng.uniform(-3, 30, size=(3000, 1))
        possible = rng.random((3000, 5)) < 0.5
        # One class alone, also the first one or the last one.
        possible[:500] = np.arange(5) == rng.integers(5, size=(500, 1))
        possible[np.arange(3000), rng.integers(5, size=3000)] = True
        logits = np.where(possible, logits, -np.inf).astype(np.float32)
        found = draws(submission, rng, logits, temperature)
        assert possible[np.arange(3000), found].all()


@pytest.mark.hint("At temperature 0 there is no noise. Do you divide by the temperature?")
def test_without_heat_the_largest_logit_wins(submission, rng):
    """At temperature 0 each row draws its largest logit, whether they are tiny, huge or -inf."""
    logits = rng.permuted(np.tile(np.linspace(-1, 1, 9), (70, 1)), axis=1)
    logits *= 10.0 ** rng.uniform(-9, 30, size=(70, 1))
    logits[3, :] = -np.inf
    logits[3, 4] = -1e30
    logits = logits.astype(np.float32)
    best = logits.argmax(axis=1).astype(np.int32)
    assert_close(draws(submission, rng, logits, 0.0), best)
    half = logits.astype(jnp.bfloat16)
    assert_close(draws(submission, rng, half, 0.0), best)
    # Beside these logits, the noise of a low temperature is nothing. Their quotients are infinite.
    huge = rng.permuted(np.tile(np.linspace(-1e37, 1e37, 9), (70, 1)), axis=1).astype(np.float32)
    assert_close(draws(submission, rng, huge, 0.001), huge.argmax(axis=1).astype(np.int32))


@pytest.mark.hint("Of which dtype is the noise? A function of `jax.random` takes a dtype, too.")
def test_half_precision_has_the_same_law(submission, rng):
    """With logits in bfloat16, rare classes come up as often as they should."""
    for temperature in (0.25, 1.0, 4.0):
        # Halves and quarters are exact in bfloat16.
        row = temperature * rng.permutation([0.0, -2.25, -4.5, -6.75])
        logits = np.tile(row, (80_000, 1)).astype(jnp.bfloat16)
        assert follow(draws(submission, rng, logits, temperature), softmax(row, temperature)), (
            "the numbers do not follow the law that is asked for"
        )


@pytest.mark.hint("Take randomness from the key alone. While tracing, no temperature has a value.")
def test_the_key_decides_under_jit(submission, rng):
    """Under `jit` one program serves all keys and temperatures; a key draws the same each time."""
    assert unrelated_by_key(coins(submission, rng)[:, ::2]), (
        "keys that are nearly equal give numbers that are alike"
    )
    # Nor are there only as many draws as numbers of 32 bits. Ten pairs of keys draw the same in
    # 16 rows by chance, but not in 300 rows.
    keys = many_keys(rng)
    short = submission.gumbel_sample.used_by(packed)(keys, np.zeros((16, 4), np.float32))
    assert all_differ(draws_by_key(submission, most_alike(keys, short))), (
        "different keys give the same numbers"
    )
    own, row = key(rng), rng.permutation(np.linspace(0, 3, 6))
    logits = np.float32(row)[None].repeat(5000, axis=0)
    program = submission.gumbel_sample.jit().program(own, logits, np.float32(0))
    mixed = rng.permuted(logits, axis=1)
    assert_close(program(own, mixed, np.float32(0)), mixed.argmax(axis=1).astype(np.int32))
    for temperature in (0.5, 2.0):
        found = program(own, logits, np.float32(temperature))
        assert follow(found, softmax(row, temperature)), (
            "the numbers do not follow the law that is asked for"
        )
        again = submission.gumbel_sample(own, logits, temperature)
        assert np.mean(again == found) > 0.99
