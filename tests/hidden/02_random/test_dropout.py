"""dropout(key, x, rate): each element dropped with probability `rate`, the others scaled up.

Tests of randomness compare statistics of thousands of draws, with bounds at six standard errors or
more: a right answer fails less than once in a hundred million runs. No test asks for particular
draws.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, key

from .chance import (
    all_differ,
    independent,
    many_keys,
    most_alike,
    related_keys,
    returns,
    unrelated_by_key,
)

EXACT = {np.float32: 4e-6, np.float16: 0.004, jnp.bfloat16: 0.03}
"""Relative tolerances: every number has its own."""


def draw(rng, *shape):
    """Tiny and huge numbers of both signs. None is 0, so every zero in a result was dropped."""
    numbers = rng.uniform(1, 3, size=shape) * rng.choice([-1, 1], size=shape)
    return (numbers * 10.0 ** rng.integers(-8, 7, size=shape)).astype(np.float32)


def dropped(result, x, rate):
    """Where `result` is 0, after every other element has been compared with x / (1 - rate)."""
    mask = np.asarray(result) == 0
    # Resized, so that a result of another shape is compared, too, and its shape is reported.
    shaped = np.resize(mask, x.shape)
    expected = np.where(shaped, 0, x.astype(np.float64) / (1 - rate)).astype(x.dtype)
    assert_close(result, expected, rtol=EXACT[x.dtype.type])
    return mask


def check_rate(mask, rate):
    assert abs(mask.mean() - rate) < 6 * np.sqrt(rate * (1 - rate) / mask.size)


def from_data(dropout, data, x, rate):
    """For programs, whose arguments are arrays: the key is passed as its data."""
    return dropout(jax.random.wrap_key_data(data), x, rate)


def packed(dropout, keys, x):
    """For each key, what it drops of 32 numbers, as a number of 32 bits."""

    def draw(key):
        mask = (dropout(key, x, 0.5) == 0).astype(jnp.uint32)
        return jnp.sum(mask << jnp.arange(32, dtype=jnp.uint32))

    return jax.lax.map(draw, keys, batch_size=3000)


def of_each(dropout, keys, x, number):
    """What is left of two arrays with each key."""
    return jax.lax.map(lambda key: [dropout(key, part, 0.4) for part in (x, number)], keys)


def dropped_by_key(submission, keys, rng):
    """What each of 129 keys drops of a row of 600 numbers, and of a single number."""
    x, number = draw(rng, 1, 600), draw(rng)
    found = submission.dropout.used_by(of_each)(keys, x, number)
    many, single = (
        dropped(result, np.broadcast_to(part, (129, *part.shape)), 0.4)
        for result, part in zip(found, (x, number), strict=True)
    )
    return many[:, 0], single


def coins(mask):
    """As numbers of mean 0 and variance 1."""
    return (mask - mask.mean()) / mask.std()


def correlations(mask):
    """The largest correlation between two rows of a mask."""
    found = np.corrcoef(mask)
    return np.abs(found - np.diag(np.diag(found))).max()


@pytest.mark.hint(
    "An element that is kept is divided by the probability of being kept. Any other is 0."
)
def test_an_element_is_dropped_or_scaled(submission, rng):
    """Each element is 0 or x / (1 - rate), in an array of the same shape and dtype."""
    # For the first rate, 1 - rate is exact and small: whatever is added to it shows.
    for shape, rate in [((2500, 2), 1 - 2**-8), ((2500, 2), 0.6), ((), 0.3)]:
        x = draw(rng, *shape)
        dropped(submission.dropout(key(rng), x, rate), x, rate)
    half = draw(rng, 80_000).astype(jnp.bfloat16)
    dropped(submission.dropout(key(rng), half, 0.25), half, 0.25)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Do you pass on the probability of being dropped, or of being kept? And for how many elements?"
)
def test_the_rate_is_the_share_that_is_dropped(submission, rng):
    """The share of dropped elements is the rate, for two columns and for bfloat16, too."""
    x = draw(rng, 2500, 2)
    for rate in (0.1, 0.3, 0.8):
        check_rate(dropped(submission.dropout(key(rng), x, rate), x, rate), rate)
    # Random numbers of bfloat16 are multiples of 1/128, and those of a byte of 1/256. And the
    # number of bfloat16 next to 0.999 is 1.
    x = draw(rng, 80_000).astype(jnp.bfloat16)
    for rate in (0.0015, 0.999):
        check_rate(dropped(submission.dropout(key(rng), x, rate), x, rate), rate)
    # Those of float16 are multiples of 1/1024.
    x = rng.uniform(1, 3, size=150_000).astype(np.float16)
    for rate in (0.001, 0.999):
        check_rate(dropped(submission.dropout(key(rng), x, rate), x, rate), rate)


@pytest.mark.points(3)
@pytest.mark.hint("How many booleans do you draw? A mask with fewer elements than x broadcasts.")
def test_every_element_has_its_own_coin(submission, rng):
    """No elements are dropped together, and the number of dropped ones varies by chance."""
    many, single = dropped_by_key(submission, related_keys(rng), rng)
    assert independent(coins(many).reshape(129, 15, 40)), (
        "numbers that should be independent are alike"
    )
    # A single number has a coin, too. The rate is the matter of another test: who takes it for the
    # share that is kept has 0.6 here.
    assert 0.1 < single.mean() < 0.9
    # With another number of axes, sums along an axis vary as those of independent coins. And no
    # two rows are alike, as they are if a coin is made of one for its row and one for its column.
    x = draw(rng, 30, 20, 10, 25)
    mask = dropped(submission.dropout.jit(static_argnums=2)(key(rng), x, 0.5), x, 0.5)
    centred, rows = (mask - 0.5) * 2, mask.reshape(30, -1)
    assert correlations(rows) < 7 / np.sqrt(rows.shape[1])
    for axis, length in enumerate(x.shape):
        squares = centred.sum(axis) ** 2 / length
        assert abs(squares.mean() - 1) < 8 * np.sqrt(2 / squares.size)
    # Nor are any dropped together in blocks of a large array.
    assert not returns(mask.ravel()), "the same numbers come again later"


@pytest.mark.hint(
    "Nothing is dropped here. Does a slice or a division go wrong when the rate is 0?"
)
def test_rate_zero_changes_nothing(submission, rng):
    """With rate 0 the result is x, also where x is NaN or infinite."""
    x = draw(rng, 2500, 2)
    x[3:6, 1] = np.nan, np.inf, -np.inf
    # JAX's uniform numbers of the second key have a 0 among them, which is not above the rate.
    for own in (key(rng), jax.random.key(422)):
        found = submission.dropout(own, x, 0.0)
        assert_close(found, x, rtol=EXACT[np.float32], nonfinite=True)


@pytest.mark.hint("Take randomness from the key alone: no clock, no NumPy, no global.")
def test_the_key_decides(submission, rng):
    """The same key drops the same elements, and keys that are nearly equal drop others."""
    # Of the same array, and of another one.
    x, other, same = draw(rng, 2500, 2), draw(rng, 2500, 2), key(rng)
    once, again, of_other = (
        dropped(submission.dropout(same, some, 0.3), some, 0.3) for some in (x, x, other)
    )
    assert np.array_equal(once, again)
    assert np.array_equal(once, of_other)
    # Not both of two neighbours: another test asks whether they share a coin.
    mask, _ = dropped_by_key(submission, related_keys(rng), rng)
    assert unrelated_by_key(coins(mask)[:, ::2]), (
        "keys that are nearly equal give numbers that are alike"
    )
    # Nor are there only as many masks as numbers of 32 bits. Ten pairs of keys drop the same of 32
    # numbers by chance, but not of 600.
    keys = many_keys(rng)
    short = submission.dropout.used_by(packed)(keys, draw(rng, 32))
    mask, _ = dropped_by_key(submission, most_alike(keys, short), rng)
    assert all_differ(mask), "different keys give the same numbers"


@pytest.mark.hint("Under jit neither the key nor the rate has a value: no `if`, and no NumPy.")
def test_it_survives_jit(submission, rng):
    """Under `jit` one program serves every key and every rate."""
    x, masks = draw(rng, 5000), []
    jitted = submission.dropout.used_by(from_data).jit()
    program = jitted.program(jax.random.key_data(key(rng)), x, np.float32(0))
    for rate in (0.25, 0.75):
        data = jax.random.key_data(key(rng))
        masks.append(dropped(program(data, x, np.float32(rate)), x, rate))
        check_rate(masks[-1], rate)
    assert correlations(np.stack(masks)) < 7 / np.sqrt(5000)
    assert_close(program(data, x, np.float32(0)), x, rtol=EXACT[np.float32])


@pytest.mark.hint("Write it for one array of any shape; the batch brings a key for each array.")
def test_a_batch_can_be_dropped(submission, rng):
    """Under `vmap` each array has its own key and its own rate."""
    data, x = jax.random.key_data(jax.random.split(key(rng), 3)), draw(rng, 3, 1000)
    rates = np.array([0.25, 0.4, 0.75], np.float32)
    batched = submission.dropout.used_by(from_data).vmap()
    masks = dropped(batched(data, x, rates), x, rates[:, None])
    for mask, rate in zip(masks, rates, strict=True):
        check_rate(mask, rate)
    assert correlations(masks) < 7 / np.sqrt(1000)
