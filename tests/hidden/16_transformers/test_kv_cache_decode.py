"""kv_cache_decode(cache, q, k, v, position): one step, with one program for all positions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close

SLOTS, HEADS, D = 9, 3, 4


def draw(rng, slots=SLOTS, heads=HEADS, d=D, left=1.0):
    """A cache with something in each slot, and a token."""
    cache = {name: (left * rng.normal(size=(slots, heads, d))).astype(np.float32) for name in "kv"}
    return cache, *(rng.normal(size=(heads, d)).astype(np.float32) for _ in range(3))


def exact(cache, q, k, v, position):
    """The new cache, and the result in float64."""
    new = {name: array.copy() for name, array in cache.items()}
    new["k"][position], new["v"][position] = k, v
    keys, values = (new[name][: position + 1].astype(np.float64) for name in "kv")
    scores = np.einsum("hd,nhd->nh", q.astype(np.float64), keys) / np.sqrt(q.shape[1])
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(axis=0))
        weights /= weights.sum(axis=0)
        return new, np.einsum("nh,nhd->hd", weights, values)


def slopes(cache, q, k, v, position, g, g_new):
    """The gradients of result and new cache in the keys and values of the cache, and in q, k, v."""
    new, result = exact(cache, q, k, v, position)
    keys, values = (new[name].astype(np.float64) for name in "kv")
    scores = np.einsum("hd,nhd->nh", q.astype(np.float64), keys) / np.sqrt(q.shape[1])
    scores = np.where(np.arange(len(keys))[:, None] <= position, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=0))
    weights /= weights.sum(axis=0)
    by_scores = weights * (np.einsum("hd,nhd->nh", g, values) - (g * result).sum(axis=1))
    by_scores /= np.sqrt(q.shape[1])
    by_keys = by_scores[..., None] * q + g_new["k"]
    by_values = weights[..., None] * g + g_new["v"]
    by_k, by_v = by_keys[position].copy(), by_values[position].copy()
    by_keys[position] = by_values[position] = 0
    by_q = np.einsum("nh,nhd->hd", by_scores, keys)
    return {"k": by_keys, "v": by_values}, by_q, by_k, by_v


def pulled(step, cache, q, k, v, position, g, g_new):
    """The gradients of the result and of the new cache."""
    return jax.vjp(lambda *given: step(*given, position), cache, q, k, v)[1]((g_new, g))


def check(found, cache, q, k, v, position, atol=2e-5, **options):
    expected = exact(cache, q, k, v, int(position))
    assert_close(found[0], expected[0], **options)
    assert_close(found[1], expected[1], atol=atol, **options)


def check_leaves(leaves, *given):
    """What a program returns, and that is the keys, the values, and the result."""
    keys, values, result = leaves
    check(({"k": keys, "v": values}, result), *given)


@pytest.mark.hint("The token sees itself. Is it in the cache when you compute the scores?")
def test_one_step(submission, rng):
    """The token gets its slot, and the average over the slots up to it, head by head."""
    for position in (0, 3, SLOTS - 1):
        given = *draw(rng), np.int32(position)
        found, expected = submission.kv_cache_decode(*given), exact(*given)
        assert_close(found, expected, atol=2e-5)


@pytest.mark.hint("Does a size of 1 drop an axis, or a large score overflow?")
def test_any_size_and_nan(submission, rng):
    """One slot, one head, a square cache, tiny and huge numbers, and NaN."""
    for slots, heads, d in ((1, 1, 1), (4, 1, 3), (3, 3, 3)):
        given = *draw(rng, slots, heads, d), np.int32(slots - 1)
        check(submission.kv_cache_decode(*given), *given)
    cache, q, k, v = draw(rng)
    for a, b, c in np.float32([[2e6, 5e-7, 3e6], [5e-7, 2e6, 1e-7]]):
        given = {"k": b * cache["k"], "v": c * cache["v"]}, a * q, b * k, c * v, np.int32(6)
        check(submission.kv_cache_decode(*given), *given, atol=3e-5 * c)
    # A score near 200 is rounded to 1e-5.
    given = cache, 100 * q, k, v, np.int32(6)
    check(submission.kv_cache_decode(*given), *given, atol=1e-3)
    q[0, 1] = k[1, 2] = v[2, 3] = np.nan
    cache["v"][1, 2, 0] = np.nan
    given = cache, q, k, v, np.int32(4)
    check(submission.kv_cache_decode(*given), *given, nonfinite=True)
    cache, q, k, v = draw(rng)
    cache["v"][0, 1, 0], v[2, 2], k[0, 1] = np.inf, -np.inf, np.inf
    given = cache, q, k, v, np.int32(4)
    check(submission.kv_cache_decode(*given), *given, nonfinite=True)


@pytest.mark.hint("A score of 0 has the weight exp(0) = 1, so zeros are no mask. Which score is?")
def test_the_slots_after_it_have_no_weight(submission, rng):
    """Zeros, or large numbers that an earlier text has left, have no influence."""
    cache, q, k, v = draw(rng)
    for left in (0, 990, -990):
        for position in (0, 4):
            for array in cache.values():
                array[position:] = left
            # Large queries make scores of 100,000 in the slots after it, and of 100 before it.
            for size, atol in ((1, 2e-5), (50, 1e-3)):
                given = cache, size * q, k, v, np.int32(position)
                check(submission.kv_cache_decode(*given), *given, atol=max(atol, abs(left) * 1e-6))
    # The first token counts alone, however low its score is.
    given = cache, np.full_like(q, 1e6), np.full_like(k, -1e6), v, np.int32(0)
    check(submission.kv_cache_decode(*given), *given)


@pytest.mark.points(3)
@pytest.mark.hint("Which of your shapes depends on the position? It has no value while tracing.")
def test_one_program_serves_every_position(submission, rng):
    """A single program is right at each position of its cache."""
    program = submission.kv_cache_decode.program(*draw(rng), np.int32(0))
    for position in range(SLOTS):
        given = *draw(rng, left=2.0), np.int32(position)
        check_leaves(program(*given), *given)


def text(step, cache, tokens, positions):
    """One token after the other; the results of all."""

    def one(cache, given):
        return step(cache, *given)

    return lax.scan(one, cache, (*tokens, positions))


@pytest.mark.hint("Which numbers have gone into the result? A slot that is written over hasn't.")
def test_gradients_of_the_result(submission, rng):
    """Gradients in the cache and in the token are right, also those of what later tokens see."""
    cache, q, k, v = draw(rng, 70)
    cache["k"][1, 0, 0] = cache["v"][1, 0, 0] = q[1, 1] = k[0, 2] = v[1, 0] = 0
    g = rng.normal(size=q.shape).astype(np.float32)
    # A later token gives a gradient to the new cache. None of it goes to what was written over.
    given = cache, q, k, v, np.int32(67), g, draw(rng, 70)[0]
    found = submission.kv_cache_decode.used_by(pulled)(*given)
    assert_close(found, slopes(*given), atol=5e-5)


@pytest.mark.hint(
    "A scan carries the cache. Does each step return it as it came, but for one slot?"
)
def test_a_text_has_the_results_of_the_full_pass(submission, rng):
    """Token by token in a `scan`, the results are those of attention over the whole text."""
    cache = draw(rng)[0]
    tokens = [rng.normal(size=(SLOTS - 2, HEADS, D)).astype(np.float32) for _ in range(3)]
    positions = np.arange(SLOTS - 2, dtype=np.int32)
    found = submission.kv_cache_decode.used_by(text)(cache, tokens, positions)
    results = []
    for position, token in enumerate(zip(*tokens, strict=True)):
        cache, result = exact(cache, *token, position)
        results.append(result)
    assert_close(found[0], cache)
    assert_close(found[1], np.stack(results), atol=2e-5)


@pytest.mark.hint("In which dtype is the new slot, and in which ones are scores and result?")
def test_a_cache_in_half_precision(submission, rng):
    """A cache of bfloat16 stays bfloat16, and all that is computed from it is float32."""
    cache, q, k, v = draw(rng)
    cache = {name: array.astype(jnp.bfloat16) for name, array in cache.items()}
    given = cache, q, k, v, np.int32(4)
    check(submission.kv_cache_decode(*given), *given)
    # The first token is all there is, so the result is its value as the cache holds it.
    new, result = submission.kv_cache_decode(*given[:4], np.int32(0))
    assert_close(result, np.asarray(new["v"], np.float32)[0], rtol=1e-5)


@pytest.mark.hint("One query needs one row of scores. How many rows do you compute?")
def test_long_texts_in_a_batch(submission, rng):
    """Under `vmap` each text has its own position, and a step of a long text makes no table."""
    positions = np.int32([2, 0, 1098])
    texts = [draw(rng, 1100, 2, 3) for _ in positions]
    program = submission.kv_cache_decode.program(*texts[0], positions[0])
    assert program.largest_intermediate <= 2 * 1100 * 2 * 3
    check_leaves(program(*texts[0], positions[2]), *texts[0], positions[2])
    cache = {name: np.stack([given[0][name] for given in texts]) for name in "kv"}
    tokens = [np.stack([given[part] for given in texts]) for part in (1, 2, 3)]
    new, result = submission.kv_cache_decode.vmap()(cache, *tokens, positions)
    for n, (given, position) in enumerate(zip(texts, positions, strict=True)):
        found = {name: array[n] for name, array in new.items()}, result[n]
        check(found, *given, position)
    # The first tokens of a long text count as much as the last ones.
    given = *draw(rng, 20_000, 1, 1), np.int32(19_999)
    check(submission.kv_cache_decode(*given), *given)
