"""fold_in_steps(key, start, n, d): the numbers of a step follow from the key and its number alone.

No test asks for particular numbers.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_agree, case, key

from .chance import SEEDS, by_key, follows, seeds_in_a_row, unrelated


def numbers(submission, own, start, n, d):
    """The numbers of a plain call, of the right shape and dtype."""
    result = submission.fold_in_steps(own, start, n, d)
    assert np.shape(result) == (n, d)
    assert result.dtype == np.float32
    assert np.any(result), "All numbers are 0."
    return np.asarray(result)


@pytest.mark.hint("A step is a row: there are n rows, with d numbers in each.")
def test_every_step_is_a_row(submission, rng):
    """There are n rows of d float32 numbers."""
    for n, d in [(3, 5), (1, 1), (40, 2)]:
        numbers(submission, key(rng), int(rng.integers(100)), n, d)


@pytest.mark.points(4)
@pytest.mark.hint("Does the key of a step depend on where the call begins, or on other steps?")
def test_a_restart_draws_the_same_numbers(submission, rng):
    """A run that stops and resumes draws what an uninterrupted one draws, early and late."""
    early = int(rng.integers(100, 1000))
    # As float32, the late start and the restarts are two numbers, 64 apart.
    late = 2**29 + 64 * int(rng.integers(8_000_000)) + 30
    hint = "Does the key of a step depend on where the call begins, or on other steps?"
    for name, start in [("from step 0", 0), ("from an early step", early), ("late", late)]:
        with case(name, hint=hint):
            own = key(rng)
            whole = numbers(submission, own, start, 12, 4)
            assert_agree(numbers(submission, own, start + 5, 7, 4), whole[5:])
            assert_agree(numbers(submission, own, start + 3, 1, 4), whole[3:4])


@pytest.mark.hint("Draw with a function of `jax.random` whose numbers are spread evenly.")
def test_numbers_are_uniform(submission, rng):
    """In a call, numbers are spread evenly from 0 to 1."""
    found = numbers(submission, key(rng), int(rng.integers(100)), 100, 200)
    follows(found, lambda x: np.clip(x, 0, 1), "the numbers")


@pytest.mark.hint("Does each step have its own key? Where is the step's number used?")
def test_steps_are_independent(submission, rng):
    """No two steps have numbers that are equal or correlated, in one call or in two."""
    own, late = key(rng), int(rng.integers(1000, 10**9))
    calls = [numbers(submission, own, start, 20, 500) for start in (0, 20, late)]
    unrelated(np.concatenate(calls), "steps")


@pytest.mark.hint("Get randomness from the key and the step alone. And don't add the two.")
def test_the_key_decides(submission, rng):
    """No step of one key has the numbers of a step of another key."""
    start = np.int32(rng.integers(50))
    found = submission.fold_in_steps.used_by(by_key)(seeds_in_a_row(rng), start, 4, 200)
    assert np.shape(found) == (SEEDS, 4, 200)
    unrelated(np.reshape(found, (-1, 200)), "steps of two keys")


@pytest.mark.hint("While tracing, the first step has no value: it can't be a size or a Python int.")
def test_it_survives_jit(submission, rng):
    """Under `jit`, one program serves every first step."""
    own, start = key(rng), int(rng.integers(2000, 1_000_000))
    whole = numbers(submission, own, start, 8, 3)
    jitted = submission.fold_in_steps.jit(static_argnums=(2, 3))
    for first in (0, 3, 5):
        assert_agree(jitted(own, np.int32(start + first), 3, 3), whole[first : first + 3])


def batch(fold_in_steps, own, starts):
    return jax.vmap(lambda start: fold_in_steps(own, start, 2, 3))(starts)


def test_details(submission, rng):
    """It works under vmap and for many steps."""
    own, starts = key(rng), rng.integers(1000, size=3).astype(np.int32)
    with case("under vmap", hint="Each run has a first step that is traced."):
        expected = [numbers(submission, own, int(start), 2, 3) for start in starts]
        assert_agree(submission.fold_in_steps.used_by(batch)(own, starts), np.stack(expected))
    with case("for many steps", hint="A Python loop adds each step to the program."):
        jitted = submission.fold_in_steps.jit(static_argnums=(2, 3))
        # A step that is written out takes more than five.
        assert jitted.program(own, starts[0], 200, 2).size < 5 * 200
