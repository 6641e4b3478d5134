"""top_rows(scores, table, k): the rows with the highest scores, in order."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n, d):
    """Scores that all differ, of both signs, and rows that all differ."""
    scores = rng.permutation(np.arange(n) - n // 2) + rng.uniform(0.1, 0.9, size=n)
    return scores.astype(np.float32), rows(rng, n, d)


def rows(rng, n, d):
    return rng.permutation(n * d).reshape(n, d).astype(np.int32)


def check(found, scores, table, k):
    order = np.argsort(-scores.astype(np.float64), kind="stable")[:k]
    assert_close(found, table[order], rtol=0, atol=0)


@pytest.mark.points(4)
@pytest.mark.hint("Which index has the highest score? Which row of the table has this index?")
def test_the_best_rows_come_first(submission, rng):
    """The rows with the highest scores are returned, from the highest score down."""
    for n, d, k in ((7, 3, 3), (5, 2, 5), (9, 9, 4)):
        scores, table = draw(rng, n, d)
        check(submission.top_rows(scores, table, k), scores, table, k)
    with case("for a table of bfloat16", hint="Is anything computed with the rows?"):
        table = table.astype(jnp.bfloat16)
        check(submission.top_rows(scores, table, k), scores, table, k)


@pytest.mark.points(3)
@pytest.mark.hint("What does your code do with the order of equal scores? Does it reverse it?")
def test_equal_scores_keep_the_order_of_the_table(submission, rng):
    """Of rows with equal scores, the first one in the table comes first."""
    table = rows(rng, 8, 2)
    for values, k in (([3, 3, 3, 3, 1, 1, 1, 1], 6), ([5, 5, 5, 2, 2, 2, 2, 1], 5)):
        scores = rng.permutation(np.float32(values))
        check(submission.top_rows(scores, table, k), scores, table, k)
    scores = np.full(8, -2, np.float32)
    check(submission.top_rows(scores, table, 3), scores, table, 3)


def best_three(top_rows, scores, table):
    return top_rows(scores, table, 3)


@pytest.mark.points(2)
@pytest.mark.hint(
    "The scores have no value while JAX traces. Does your code select rows with a mask?"
)
def test_under_jit_and_vmap(submission, rng):
    """Under `jit` and `vmap`, each table of a batch has its own scores."""
    pairs = [draw(rng, 7, 3) for _ in range(4)]
    found = (
        submission.top_rows.used_by(best_three)
        .vmap()
        .jit()(*map(np.stack, zip(*pairs, strict=True)))
    )
    expected = [table[np.argsort(-scores)[:3]] for scores, table in pairs]
    assert_close(found, np.stack(expected), rtol=0, atol=0)


def test_details(submission, rng):
    """It works for scores of uint8, for large integers, and for k = 1."""
    table = rows(rng, 6, 2)
    with case("for scores of uint8", hint="What is -1 as a uint8?"):
        scores = rng.permutation(np.arange(0, 240, 40)).astype(np.uint8)
        check(submission.top_rows(scores, table, 4), scores, table, 4)
    with case("for large integers", hint="A float32 has 24 bits for digits. Do you need floats?"):
        scores = rng.permutation(np.arange(2**30, 2**30 + 6)).astype(np.int32)
        check(submission.top_rows(scores, table, 4), scores, table, 4)
    with case("for k = 1", hint="What shape is the result?"):
        scores, table = draw(rng, 6, 2)
        check(submission.top_rows(scores, table, 1), scores, table, 1)
