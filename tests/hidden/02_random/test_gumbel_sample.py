"""gumbel_sample(key, logits, temperature): a class for each row, by the law of its logits.

No test asks for particular draws.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case, key

from .chance import by_key, seeds_in_a_row, unrelated


def draws(submission, rng, logits, temperature):
    """The classes of a plain call."""
    found = submission.gumbel_sample(key(rng), logits, temperature)
    assert np.shape(found) == (len(logits),)
    assert found.dtype == np.int32
    return found


def follow(found, row, temperature):
    """Each class came up about as often as the logits of a row say."""
    scaled = row / temperature
    weights = np.exp(scaled - scaled.max())
    expected = len(found) * weights / weights.sum()
    counts = np.bincount(found, minlength=len(row))
    # Seven standard errors, and room for the skewness of small numbers.
    room = 7 * np.sqrt(expected) + 7
    worst = np.argmax(abs(counts - expected) / room)
    assert abs(counts[worst] - expected[worst]) < room[worst], (
        f"at temperature {temperature}, a class came up {counts[worst]} times in {len(found)} "
        f"rows, and it should be {expected[worst]:.0f} times, give or take {room[worst]:.0f}"
    )


def equal_rows(row, count):
    return np.tile(np.float32(row), (count, 1))


@pytest.mark.hint("The result has one class per row: along which axis do you find the largest?")
def test_every_row_draws_a_class(submission, rng):
    """There is one class for each row, and a logit far above the others wins."""
    for rows, classes in [(4, 3), (1, 1), (90, 7), (5, 1), (3, 3)]:
        best = rng.integers(classes, size=rows).astype(np.int32)
        logits = np.where(np.arange(classes) == best[:, None], 200, 0).astype(np.float32)
        assert_close(draws(submission, rng, logits, 1.0), best)


@pytest.mark.points(2)
@pytest.mark.hint("Is the noise of the right kind, and is it scaled by the temperature?")
def test_the_law_is_that_of_the_logits(submission, rng):
    """Classes occur as often as their logits and the temperature say."""
    for temperature, classes in [(1.0, 4), (0.5, 4), (4.0, 9)]:
        row = temperature * rng.permutation(np.linspace(0, rng.uniform(3, 5), classes))
        follow(draws(submission, rng, equal_rows(row, 40_000), temperature), row, temperature)


@pytest.mark.points(3)
@pytest.mark.hint("How many random numbers do you draw? Noise of one row broadcasts to all rows.")
def test_rows_draw_independently(submission, rng):
    """Equal rows of a batch draw independently of each other."""
    logits = equal_rows(rng.permutation(np.log([2, 3, 5])), 20_000)
    found = draws(submission, rng, logits, 1.0) == 1
    assert found.any() and not found.all(), "20,000 equal rows draw one and the same class"
    unrelated(found.reshape(40, 500), "groups of rows")


@pytest.mark.points(2)
@pytest.mark.hint("At temperature 0 there is no noise. Do you divide by the temperature?")
def test_without_heat_the_largest_logit_wins(submission, rng):
    """At temperature 0 each row draws its largest logit, whether the logits are small or large."""
    for scale in (1, 1e-6, 1000):
        logits = rng.permuted(np.tile(np.linspace(-scale, scale, 9), (70, 1)), axis=1)
        logits = logits.astype(np.float32)
        assert_close(draws(submission, rng, logits, 0.0), logits.argmax(axis=1).astype(np.int32))


@pytest.mark.hint("Get randomness from the key alone. While tracing, no temperature has a value.")
def test_the_key_decides_under_jit(submission, rng):
    """Under `jit`, one program draws what a plain call draws, and the next seed draws other
    classes."""
    own, logits = key(rng), rng.normal(size=(300, 6)).astype(np.float32)
    program = submission.gumbel_sample.jit().program(own, logits, np.float32(0))
    for temperature in (0.5, 2.0):
        plain = submission.gumbel_sample(own, logits, temperature)
        same = np.mean(program(own, logits, np.float32(temperature)) == plain)
        assert same > 0.98, f"only {same:.0%} of the rows draw the same as in a plain call"
    logits = equal_rows(np.log([3, 3, 4]), 300)
    found = submission.gumbel_sample.used_by(by_key)(seeds_in_a_row(rng), logits, np.float32(1))
    unrelated(np.asarray(found) == 2, "seeds")


def test_details(submission, rng):
    """It works where logits are -inf, and in half precision."""
    with case("where logits are -inf", hint="What does -inf become in each step? It has to lose."):
        for temperature in (0.0, 1.0, 1000.0):
            possible = rng.random((300, 5)) < 0.5
            possible[np.arange(300), rng.integers(5, size=300)] = True
            logits = np.where(possible, rng.normal(size=(300, 5)), -np.inf).astype(np.float32)
            found = draws(submission, rng, logits, temperature)
            assert possible[np.arange(300), found].all(), "a class with -inf is drawn"
    with case("in half precision", hint="What is the dtype of the noise? You can choose it."):
        # Halves and quarters are exact in bfloat16.
        row = rng.permutation([0.0, -2.25, -4.5, -6.75])
        logits = equal_rows(row, 80_000).astype(jnp.bfloat16)
        follow(draws(submission, rng, logits, 1.0), row, 1.0)
