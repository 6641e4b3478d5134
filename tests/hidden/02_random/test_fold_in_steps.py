"""fold_in_steps(key, start, n, d): the numbers of a step follow from the key and its number alone.

Tests of randomness compare statistics of thousands of draws, with the bounds of `chance`: a right
answer fails less than once in ten million runs. No test asks for particular numbers.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, key

from .chance import (
    all_differ,
    by_key,
    cosine_bound,
    cosines,
    fine,
    follows,
    independent,
    many_keys,
    related_keys,
    unrelated_by_key,
)

LAST = 2_000_000_000


def numbers(submission, own, start, n, d):
    """The numbers of a plain call, of the right shape and dtype."""
    result = submission.fold_in_steps(own, start, n, d)
    assert np.shape(result) == (n, d), "the shape is wrong"
    assert result.dtype == np.float32, "the dtype is wrong"
    return np.asarray(result)


def standard(draws):
    """Uniform numbers, scaled to mean 0 and variance 1."""
    return (np.asarray(draws, np.float64) - 0.5) * np.sqrt(12)


def by_key_and_start(fold_in_steps, keys, starts, n, d):
    """The numbers for each key with a first step of its own."""
    return jax.jit(jax.vmap(lambda key, start: fold_in_steps(key, start, n, d)))(keys, starts)


def nearly_equal_keys(submission, rng, start, n=7):
    """The numbers [129, n, 100] of nearly equal keys, from a program."""
    steps = submission.fold_in_steps.used_by(by_key)
    found = steps(related_keys(rng), np.int32(start), n, 100)
    assert np.shape(found) == (129, n, 100), "the shape is wrong"
    return standard(found)


@pytest.mark.hint("A step is a row: there are n rows, with d numbers in each.")
def test_every_step_is_a_row(submission, rng):
    """There are n rows of d numbers, from 0 up to but not including 1."""
    calls = [(key(rng), 5, n, d) for n, d in [(3, 5), (1, 1), (1000, 2)]]
    # In step 3955 of this key, some random bits are so large that float32 rounds them to 2**32.
    for own, start, n, d in [*calls, (key(0), 3954, 2, 1000)]:
        found = numbers(submission, own, start, n, d)
        assert (found >= 0).all() and (found < 1).all()
        # By chance, two of 2000 numbers are equal in one run of four.
        assert len(np.unique(found)) > found.size - 10


@pytest.mark.points(4)
@pytest.mark.hint("Does the key of a step depend on where the call begins, or on other steps?")
def test_a_restart_draws_the_same_numbers(submission, rng):
    """A training that stops and goes on draws what an uninterrupted one draws, early and late."""
    # Two of these calls begin before a multiple of many numbers, and end after it.
    early, late = int(rng.integers(100, 1000)), LAST - int(rng.integers(1000))
    for start in (0, early, late, 2**30 - 5, 10**9 - 5):
        own = key(rng)
        whole = numbers(submission, own, start, 12, 4)
        assert_close(numbers(submission, own, start, 5, 4), whole[:5])
        assert_close(numbers(submission, own, start + 5, 7, 4), whole[5:])
        # Each step has numbers of its own.
        assert len(np.unique(whole, axis=0)) == 12
    # One process makes a few steps in each call, another one makes hundreds.
    own, start = key(rng), int(rng.integers(1_000_000))
    whole = numbers(submission, own, start, 1000, 2)
    for first in (0, 499, *rng.integers(996, size=2).tolist(), 996):
        assert_close(numbers(submission, own, start + first, 4, 2), whole[first : first + 4])


@pytest.mark.hint(
    "Each number is uniform: draw it with a function that needs only a key and a shape."
)
def test_numbers_are_uniform(submission, rng):
    """In a step, over many steps and over many keys, numbers are spread evenly from 0 to 1."""
    found = numbers(submission, key(rng), LAST - int(rng.integers(LAST // 2)), 500, 40)
    for draws in (
        found,
        found[0],
        found[:, 0],
        (nearly_equal_keys(submission, rng, 0) / np.sqrt(12) + 0.5),
    ):
        assert follows(draws, distribution=lambda x: np.clip(x, 0, 1)), (
            "the numbers do not follow the law that is asked for"
        )
    assert fine(found), "too few different numbers are possible"


@pytest.mark.hint(
    "Does each step have another key? Near and far steps should have nothing in common."
)
def test_steps_are_independent(submission, rng):
    """The numbers of one step have nothing to do with those of any other, near or far."""
    # Where keys share steps, the correlation grows with their number: 16 are enough to see it.
    assert independent(nearly_equal_keys(submission, rng, LAST - rng.integers(LAST // 2), 16)), (
        "numbers that should be independent are alike"
    )
    # Steps that differ in one bit, and the steps after them.
    starts = np.int32([0, *(2**bit for bit in range(31) if bit)])
    own = key(rng)
    found = np.concatenate([numbers(submission, own, int(start), 2, 300) for start in starts[::3]])
    found = np.unique(found, axis=0)
    assert cosines(standard(found)) < cosine_bound(300), (
        "two parts are alike that should be independent"
    )
    assert len(found) == 2 * len(starts[::3])
    # If the numbers came again after a million steps, or step 0 of a seed had those of step
    # 1,000,000 of the seed before, about ten of these rows or more would be equal.
    seed = int(rng.integers(2**31))
    keys = jax.random.wrap_key_data(np.uint32([[0, seed], [0, seed + 1]]).repeat(150_000, axis=0))
    starts = rng.choice(LAST, 300_000, replace=False).astype(np.int32)
    found = submission.fold_in_steps.used_by(by_key_and_start)(keys, starts, 1, 4)
    assert all_differ(np.reshape(found, (-1, 4))), "different keys give the same numbers"


@pytest.mark.hint("Take randomness from the key and the step alone. And don't add the two of them.")
def test_the_key_decides(submission, rng):
    """Keys that are nearly equal share no numbers, neither in the same step nor in another."""
    found = nearly_equal_keys(submission, rng, rng.integers(50))
    assert unrelated_by_key(found), "keys that are nearly equal give numbers that are alike"
    assert cosines(found.reshape(-1, 100)) < cosine_bound(100), (
        "two parts are alike that should be independent"
    )
    # Nor are there only as many rows as numbers of 32 bits.
    steps = submission.fold_in_steps.used_by(by_key_and_start)
    found = steps(many_keys(rng), np.full(300_000, rng.integers(50), np.int32), 1, 4)
    assert all_differ(np.reshape(found, (-1, 4))), "different keys give the same numbers"


@pytest.mark.hint("While tracing, the first step has no value: it can't be a size or a Python int.")
def test_it_survives_jit(submission, rng):
    """Under `jit` one program serves every first step, and under `vmap` each run has its own."""
    own, start = key(rng), int(rng.integers(2000, 1_000_000))
    whole = numbers(submission, own, start, 8, 3)
    jitted = submission.fold_in_steps.jit(static_argnums=(2, 3))
    for first in (0, 3, 5):
        assert_close(jitted(own, np.int32(start + first), 3, 3), whole[first : first + 3])

    def batch(fold_in_steps, own, starts):
        return jax.vmap(lambda start: fold_in_steps(own, start, 2, 3))(starts)

    starts = np.int32([start + 6, start + 1, start])
    expected = np.stack([whole[6:8], whole[1:3], whole[0:2]])
    assert_close(submission.fold_in_steps.used_by(batch)(own, starts), expected)


@pytest.mark.hint("A Python loop over the steps writes each step into the program.")
def test_the_program_does_not_grow(submission, rng):
    """A hundred times as many steps need no bigger program."""
    jitted = submission.fold_in_steps.jit(static_argnums=(2, 3))
    # As a float32 it would be another number.
    own, start = key(rng), np.int32(LAST // 128 * 128 - 128 * rng.integers(1000) + 1)
    few, many = (jitted.program(own, start, n, 2) for n in (4, 400))
    assert many.size <= 2 * few.size
    # Room for any generator. But a step needs more than four operations, if it is written out.
    assert many.size < 1600
    assert_close(many(own, start)[7], numbers(submission, own, int(start) + 7, 1, 2)[0])
