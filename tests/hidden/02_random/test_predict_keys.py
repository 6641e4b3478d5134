"""predict_keys(): twelve predictions, compared with what is found out during the test.

The answer is a list of bools, so no program is judged. A report names the pair that is wrong.
"""

import jax
import jax.numpy as jnp
import pytest
from jax import random

from grader.suite import case

K = random.key(0)
A, B = random.split(K)


def after_draws(make):
    for subkey in random.split(K, 10):
        random.normal(subkey)
    return make()


def noise_twice():
    noise = jax.jit(lambda: random.normal(K))
    return noise(), noise()


CASES = {
    0: lambda: (K, random.key(0)),
    1: lambda: (K, (random.normal(K), K)[1]),
    2: lambda: (A, after_draws(lambda: random.split(K)[0])),
    3: lambda: (random.fold_in(K, 3), after_draws(lambda: random.fold_in(K, 3))),
    4: lambda: (A, K),
    5: lambda: (random.fold_in(K, 0), K),
    6: lambda: (random.fold_in(K, 3), random.key(3)),
    7: lambda: (
        random.fold_in(random.fold_in(K, 1), 2),
        random.fold_in(random.fold_in(K, 2), 1),
    ),
    8: lambda: (B, jax.jit(random.split)(K)[1]),
    9: lambda: (random.split(B)[0], jax.vmap(random.split)(random.split(K))[1, 0]),
    10: lambda: (random.normal(A), random.normal(B)),
    11: noise_twice,
}

HINTS = {
    0: "What does a key depend on?",
    1: "Can a function change an array passed to it?",
    2: "Do other draws affect a split? Look at its arguments.",
    3: "Do other draws affect `fold_in`? Look at its arguments.",
    4: "Print `jax.random.key_data` of both keys.",
    5: "Is mixing a number in the same as adding it?",
    6: "Which key is involved on each side?",
    7: "Print `jax.random.key_data` of both keys. Is mixing in like a sum?",
    8: "Does `jit` change what a function computes?",
    9: "Which key is row 1 of the batch made from?",
    10: "Which keys do the two draws use?",
    11: "What is different in the second call?",
}


def check(submission, *numbers):
    predicted = submission.predict_keys()
    for number in numbers:
        with case(f"in pair {number}", hint=HINTS[number]):
            right = predicted[number] == bool(jnp.array_equal(*CASES[number]()))
            assert right, "Your prediction differs from the result."


@pytest.mark.words
@pytest.mark.hint("Return a list with one bool per pair, from pair 0 to pair 11.")
def test_there_is_a_bool_for_each_pair(submission):
    """The result is a list of twelve bools."""
    predicted = submission.predict_keys()
    assert type(predicted) is list and len(predicted) == len(CASES), "It isn't a list of twelve."
    bools = all(type(answer) is bool for answer in predicted)
    assert bools, "An entry of the list isn't a Python bool."


@pytest.mark.words
@pytest.mark.points(3)
def test_there_is_no_hidden_state(submission):
    """Pairs 0 to 3: a key is made again, or used in between."""
    check(submission, 0, 1, 2, 3)


@pytest.mark.words
@pytest.mark.points(2)
def test_keys_that_are_made_of_keys(submission):
    """Pairs 4 to 7: split and fold_in make keys from a key."""
    check(submission, 4, 5, 6, 7)


@pytest.mark.words
@pytest.mark.points(2)
def test_keys_under_transformations(submission):
    """Pairs 8 and 9: keys are made under jit and vmap."""
    check(submission, 8, 9)


@pytest.mark.words
@pytest.mark.points(2)
def test_numbers_follow_from_keys(submission):
    """Pairs 10 and 11: two numbers are drawn."""
    check(submission, 10, 11)
