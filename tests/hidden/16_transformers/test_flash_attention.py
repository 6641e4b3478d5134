"""flash_attention(q, k, v, block): attention in blocks, whose programs hold no table."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

# 8 and 17 blocks of 16 keys, with d = 4: 4 * d is 16. No number of blocks divides 17.
QUERIES, MANY_KEYS, D, BLOCK = 70, (128, 272), 4, 16
KNOWN = np.cos(np.arange(63, dtype=np.float32)).reshape(21, 3)


def draw(rng, queries=5, keys=8, d=3):
    """Queries, keys, values, and gradients that arrive, all of order one."""
    sizes = queries, keys, keys, queries
    return [rng.normal(size=(size, d)).astype(np.float32) for size in sizes]


def exact(q, k, v, g):
    """Result and gradients in float64, by the formulas."""
    q, k, v, g = (x.astype(np.float64) for x in (q, k, v, g))
    scores = q @ k.T / np.sqrt(q.shape[1])
    with np.errstate(invalid="ignore"):
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


def check(found, *given):
    for part, expected in zip(found, exact(*given), strict=True):
        assert_close(part, expected, atol=1e-4)


@pytest.mark.hint("Is each block used once? By which sum is the weighted sum divided at the end?")
def test_rows_are_averages_over_all_blocks(submission, rng):
    """Each row is the weighted average of all values, for blocks of any size."""
    for queries, keys, d, block in ((5, 6, 3, 2), (4, 4, 4, 4), (3, 5, 2, 1)):
        q, k, v, g = draw(rng, queries, keys, d)
        found = submission.flash_attention(q, k, v, block)
        assert_close(found, exact(q, k, v, g)[0], atol=2e-5)


@pytest.mark.hint("Does a size of 1 drop an axis? Is a number added, or a NaN replaced?")
def test_any_size_and_nan(submission, rng):
    """One query, one key, three hundred of each, huge and tiny numbers, and NaN."""
    given = draw(rng, 1, 1, 1)
    check(submission.flash_attention.used_by(both)(*given, 1), *given)
    for queries, keys, d, block in ((1, 4, 3, 2), (1100, 2, 1, 2), (2, 1100, 2, 100)):
        q, k, v, g = draw(rng, queries, keys, d)
        found = submission.flash_attention(q, k, v, block)
        assert_close(found, exact(q, k, v, g)[0], atol=2e-5)
    for sizes in np.float32([[2e6, 5e-7, 3e6], [5e-7, 2e6, 1e-7]]):
        *parts, g = draw(rng)
        q, k, v = (size * part for size, part in zip(sizes, parts, strict=True))
        found = submission.flash_attention(q, k, v, 4)
        assert_close(found, exact(q, k, v, g)[0], atol=3e-5 * sizes[2])
    q, k, v, g = draw(rng)
    q[1, 2] = v[3, 0] = np.nan
    found = submission.flash_attention(q, k, v, 2)
    assert_close(found, exact(q, k, v, g)[0], atol=2e-5, nonfinite=True)
    k[5, 1] = np.nan
    found = submission.flash_attention(q, k, v, 2)
    assert_close(found, np.full_like(found, np.nan), nonfinite=True)
    q, k, v, g = draw(rng)
    v[2, 1], v[6, 0] = np.inf, -np.inf
    found = submission.flash_attention(q, k, v, 4)
    assert_close(found, exact(q, k, v, g)[0], atol=2e-5, nonfinite=True)
    # A key with an infinite score, and one without weight.
    v[2, 1], v[6, 0], k[3, 0], q[:2, 0] = 1, 1, -np.inf, (1, -1)
    found = submission.flash_attention(q, k, v, 4)[:2]
    assert_close(found, exact(q[:2], k, v, g[:2])[0], atol=2e-5, nonfinite=True)


@pytest.mark.hint("A larger score comes later. Which of the sums before it are too large now?")
def test_large_scores_in_any_order(submission, rng):
    """Scores that rise or fall from block to block, between -1000 and 1000, all count."""
    # Only the second column counts in the scores. The others have a gradient in q.
    _, k, v, g = draw(rng, 4, 8)
    k[:, 1] = np.linspace(-995, 995, 8)
    # Scores that rise from block to block, that fall, and that differ by some units.
    q = np.zeros((4, 3), np.float32)
    q[:, 1] = np.sqrt(3) * np.array([1, -1, 0.004, -0.002])
    found = submission.flash_attention(q, k, v, 2)
    assert_close(found, exact(q, k, v, g)[0], atol=2e-3)
    # Scores near -1000, near 0 and near 1000.
    for level in (-985, 0, 985):
        k[:4, 1] = level + np.sort(rng.uniform(-8, 8, 4))
        k[4:, 1] = level + rng.uniform(6, 8, 4)
        q[:, 1] = np.sqrt(3)
        result, *slopes = submission.flash_attention.used_by(both)(q, k, v, g, 2)
        expected = exact(q, k, v, g)
        assert_close(result, expected[0], atol=2e-3)
        assert_close(slopes[0][:, ::2], expected[1][:, ::2], atol=2e-3)
        assert_close(slopes[1], expected[2], atol=2e-3)
        assert_close(slopes[2], expected[3], atol=2e-3)
        # In this column of q, large numbers cancel.
        assert np.isfinite(slopes[0]).all()


@pytest.mark.points(3)
@pytest.mark.hint("Which of your arrays has a number for each query and each key?")
def test_no_table_is_made(submission, rng):
    """With many blocks, no array of the program is as large as half the table of scores."""
    for keys in MANY_KEYS:
        q, k, v, g = draw(rng, QUERIES, keys, D)
        program = submission.flash_attention.program(q, k, v, BLOCK)
        assert program.largest_intermediate < QUERIES * keys / 2
        assert_close(program(q, k, v), exact(q, k, v, g)[0], atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("What does a scan keep of each step for the backward pass?")
def test_no_table_is_kept_for_the_gradients(submission, rng):
    """In the program of the gradients, no array is as large as half the table of scores."""
    for keys in MANY_KEYS:
        given = draw(rng, QUERIES, keys, D)
        program = submission.flash_attention.used_by(both).program(*given, BLOCK)
        assert program.largest_intermediate < QUERIES * keys / 2
        check(program(*given), *given)


@pytest.mark.hint("A Python loop is written out while tracing. Which loop is traced only once?")
def test_the_program_does_not_grow(submission, rng):
    """The program for a hundred blocks is no bigger than the one for eight, with its gradients."""
    given = [draw(rng, 3, 2 * blocks, 2) for blocks in (8, 128)]
    used = submission.flash_attention.used_by(both)
    programs = [used.program(*parts, 2) for parts in given]
    # Few blocks may need no loop; and 128 steps that are written out don't fit in here.
    assert programs[1].size <= 2 * programs[0].size + 30
    assert programs[1].size < 1024
    for program, parts in zip(programs, given, strict=True):
        assert_close(program(*parts)[0], exact(*parts)[0], atol=2e-5)


@pytest.mark.hint("Does an operation of yours stop the gradient? And do all axes have numbers?")
def test_gradients_of_a_batch(submission, rng):
    """Under `vmap` and `jit`, each text of a batch has its own result and its own gradients.

    In a program, some of the arguments may be known.
    """
    texts = [draw(rng) for _ in range(3)]
    for part in range(4):
        texts[1][part][0] = 0
    used = submission.flash_attention.used_by(batched).jit()
    found, partly = used(*map(np.stack, zip(*texts, strict=True)))
    for n, text in enumerate(texts):
        check([part[n] for part in found], *text)
    (q, k, v, g), (known_q, known_k, known_v) = texts[2], known()
    for found, given in zip(partly, ((known_q, k, v), (q, known_k, known_v)), strict=True):
        assert_close(found, exact(*given, g)[0], atol=2e-5)


def known():
    return KNOWN[:5], KNOWN[5:13], KNOWN[13:]


def batched(attend, *given):
    found = jax.vmap(lambda *text: both(attend, *text, 4))(*given)
    q, k, v, _ = (part[2] for part in given)
    with jax.ensure_compile_time_eval():
        known_q, known_k, known_v = map(jnp.asarray, known())
    return found, (attend(known_q, k, v, 4), attend(q, known_k, known_v, 4))
