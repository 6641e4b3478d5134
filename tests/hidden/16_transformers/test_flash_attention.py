"""flash_attention(q, k, v, block): attention in blocks, whose programs hold no table."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

# 16 blocks of 16 keys.
QUERIES, KEYS, D, BLOCK = 256, 16384, 2, 64


def draw(rng, queries=5, keys=8, d=3):
    """Queries, keys, values, and gradients that arrive, all of order one."""
    sizes = queries, keys, keys, queries
    return [rng.normal(size=(size, d)).astype(np.float32) for size in sizes]


def exact(q, k, v, g):
    """Result and gradients in float64, by the formulas."""
    q, k, v, g = (x.astype(np.float64) for x in (q, k, v, g))
    scores = q @ k.T / np.sqrt(q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    slopes = g @ v.T
    slopes = weights * (slopes - (weights * slopes).sum(axis=1, keepdims=True))
    slopes /= np.sqrt(q.shape[1])
    return weights @ v, slopes @ k, slopes.T @ q, weights.T @ g


def both(attend, q, k, v, g, block):
    """The result and the gradients."""
    found, backward = jax.vjp(lambda q, k, v: attend(q, k, v, block), q, k, v)
    return found, *backward(g)


@pytest.mark.hint(
    "What are the scores divided by, and the weighted sum at the end? Is each block used once?"
)
def test_rows_are_averages_over_all_blocks(submission, rng):
    """Each row is the weighted average of all values, for blocks of any size."""
    for queries, keys, d, block in ((5, 6, 3, 2), (4, 4, 4, 4), (3, 5, 2, 1), (7, 40, 5, 10)):
        q, k, v, g = draw(rng, queries, keys, d)
        found = submission.flash_attention(q, k, v, block)
        assert_close(found, exact(q, k, v, g)[0], atol=5e-5)


@pytest.mark.hint("A larger score comes later. Which of the earlier sums are too large now?")
def test_large_scores_in_any_order(submission, rng):
    """Scores that rise or fall from block to block, between -1000 and 1000, all count."""
    # Scores that rise from block to block, that fall, and that differ by some units.
    q, k, v, g = draw(rng, 4, 8)
    q[:], k[:] = 0, 0
    q[:, 0] = np.sqrt(3) * np.array([1, -1, 0.004, -0.002])
    k[:, 0] = np.linspace(-995, 995, 8)
    found = submission.flash_attention(q, k, v, 2)
    assert_close(found, exact(q, k, v, g)[0], atol=5e-3)
    # All scores near -990, or near 990.
    for level in (-990, 990):
        q[:, 0], k[:, 0] = np.sqrt(3), level + rng.uniform(-3, 3, 8)
        found = submission.flash_attention(q, k, v, 2)
        assert_close(found, exact(q, k, v, g)[0], atol=5e-3)


@pytest.mark.points(3)
@pytest.mark.hint("Which of your arrays has a number for each query and each key?")
def test_no_table_is_made(submission, rng):
    """With many blocks, no array of the program is as large as half the table of scores."""
    q, k, v, g = draw(rng, QUERIES, KEYS, D)
    program = submission.flash_attention.program(q, k, v, BLOCK)
    assert_close(program(q, k, v), exact(q, k, v, g)[0], atol=5e-5)
    assert program.elements < QUERIES * KEYS / 2


@pytest.mark.points(2)
@pytest.mark.hint("What does a scan keep of each step for the backward pass?")
def test_no_table_is_kept_for_the_gradients(submission, rng):
    """In the program of the gradients, no array is as large as half the table of scores."""
    given = draw(rng, QUERIES, KEYS, D)
    program = submission.flash_attention.used_by(both).program(*given, BLOCK)
    assert_close(program.structured(*given), exact(*given), atol=2e-4)
    assert program.elements < QUERIES * KEYS / 2


@pytest.mark.points(2)
@pytest.mark.hint("A Python loop is written out while tracing. Which loop is traced only once?")
def test_the_program_does_not_grow(submission, rng):
    """The program of the gradients for 200 blocks is small."""
    given = draw(rng, 3, 400, 2)
    program = submission.flash_attention.used_by(both).program(*given, 2)
    # A block that is written out takes more than five.
    assert program.size < 5 * 200
    assert_close(program.structured(*given), exact(*given), atol=2e-4)


def batched(attend, *given):
    return jax.vmap(lambda *text: both(attend, *text, 4))(*given)


def test_details(submission, rng):
    """It works for sizes of 1, in the gradients, under `vmap`, and where a row has NaN."""
    used = submission.flash_attention.used_by(both)
    with case("for sizes of 1", hint="Does one of your operations drop axes of length 1?"):
        for queries, keys, d, block in ((1, 1, 1, 1), (1, 4, 3, 2), (3, 4, 1, 2)):
            given = draw(rng, queries, keys, d)
            assert_close(used(*given, block), exact(*given), atol=2e-4)
    for level in (-990, 990):
        with case(
            f"in the gradients for scores near {level}", hint="Do you take exp of a large score?"
        ):
            q, k, v, g = draw(rng)
            q[:, 0], k[:, 0] = np.sqrt(3), level + rng.uniform(-3, 3, 8)
            found, expected = used(q, k, v, g, 2), exact(q, k, v, g)
            assert_close(found[2:], expected[2:], atol=5e-3)
            # In the first column of q, large numbers cancel.
            assert_close(found[1][:, 1:], expected[1][:, 1:], atol=5e-3)
    with case("under `vmap` and `jit`", hint="Are your axis numbers those of a single text?"):
        texts = [draw(rng) for _ in range(3)]
        given = map(np.stack, zip(*texts, strict=True))
        expected = map(np.stack, zip(*(exact(*text) for text in texts), strict=True))
        found = submission.flash_attention.used_by(batched).jit()(*given)
        assert_close(found, tuple(expected), atol=2e-4)
    with case("where a query has NaN", hint="Do queries meet? Each has its own maximum."):
        q, k, v, g = draw(rng)
        q[1, 2] = np.nan
        found = submission.flash_attention(q, k, v, 2)
        assert_close(found, exact(q, k, v, g)[0], atol=5e-5, nonfinite=True)
    with case("where a key has NaN", hint="Do you replace NaN, or lose it in a maximum?"):
        q, k, v, g = draw(rng)
        k[5, 1] = np.nan
        found = submission.flash_attention(q, k, v, 2)
        assert_close(found, exact(q, k, v, g)[0], nonfinite=True)
