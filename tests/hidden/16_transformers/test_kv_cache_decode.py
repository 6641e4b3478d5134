"""kv_cache_decode(cache, q, k, v, position): one step, with one program for all positions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case

SLOTS, HEADS, D = 9, 3, 4


def draw(rng, slots=SLOTS, heads=HEADS, d=D):
    """A cache with something in each slot, and a token."""
    cache = {name: rng.normal(size=(slots, heads, d)).astype(np.float32) for name in "kv"}
    return cache, *(rng.normal(size=(heads, d)).astype(np.float32) for _ in range(3))


def exact(cache, q, k, v, position):
    """The new cache, and the result in float64."""
    new = {name: array.copy() for name, array in cache.items()}
    new["k"][position], new["v"][position] = k, v
    keys, values = (new[name][: position + 1].astype(np.float64) for name in "kv")
    scores = np.einsum("hd,nhd->nh", q.astype(np.float64), keys) / np.sqrt(q.shape[1])
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


def check(found, cache, q, k, v, position, atol=5e-5):
    assert_close(found, exact(cache, q, k, v, int(position)), atol=atol)


@pytest.mark.hint("The token sees itself. Is it in the cache when you compute the scores?")
def test_one_step(submission, rng):
    """The token gets its slot, and the average over the slots up to it, head by head."""
    for position in (0, 3, SLOTS - 1):
        given = *draw(rng), np.int32(position)
        check(submission.kv_cache_decode(*given), *given)


@pytest.mark.hint("A score of 0 has the weight exp(0) = 1, so zeros aren't a mask. Which score is?")
def test_the_slots_after_it_have_no_weight(submission, rng):
    """Zeros or large numbers left by an earlier text have no influence."""
    for left in (0, 100, -100):
        for position in (0, 4):
            cache, q, k, v = draw(rng)
            for array in cache.values():
                array[position + 1 :] = left
            given = cache, q, k, v, np.int32(position)
            check(submission.kv_cache_decode(*given), *given)


@pytest.mark.points(3)
@pytest.mark.hint("Which of your shapes depends on the position? It has no value while tracing.")
def test_one_program_serves_every_position(submission, rng):
    """A single program is right at each position of its cache."""
    program = submission.kv_cache_decode.program(*draw(rng), np.int32(0))
    for position in range(SLOTS):
        given = *draw(rng), np.int32(position)
        check(program.structured(*given), *given)


def text(step, cache, tokens, positions):
    """One token after the other; the results of all."""

    def one(cache, given):
        return step(cache, *given)

    return lax.scan(one, cache, (*tokens, positions))


@pytest.mark.hint(
    "A scan carries the cache. Does each step return it unchanged, except for one slot?"
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
    assert_close(found, (cache, np.stack(results)), atol=5e-5)


@pytest.mark.points(2)
@pytest.mark.hint("One query needs one row of scores. How many rows do you compute?")
def test_no_table_is_made(submission, rng):
    """In a step of a long text, no table of all slots is created, not even in pieces."""
    program = submission.kv_cache_decode.program(*draw(rng, 300, 2, 3), np.int32(0))
    given = *draw(rng, 300, 2, 3), np.int32(200)
    check(program.structured(*given), *given)
    assert program.elements < 300 * 300


@pytest.mark.hint("Which numbers affect the result? Is one of them a constant in your code?")
def test_gradients_of_the_result(submission, rng):
    """The gradients of the result in the cache and the token are right."""
    cache, q, k, v = draw(rng)
    g, nothing = rng.normal(size=q.shape).astype(np.float32), jax.tree.map(np.zeros_like, cache)
    given = cache, q, k, v, np.int32(6), g, nothing
    found = submission.kv_cache_decode.used_by(pulled)(*given)
    assert_close(found, slopes(*given), atol=1e-4)


def test_details(submission, rng):
    """It works for sizes of 1, large scores, bfloat16, under `vmap`, and in the gradients."""
    with case("for sizes of 1", hint="Does one of your operations drop axes of length 1?"):
        for slots, heads, d in ((1, 1, 1), (4, 1, 3), (4, 3, 1)):
            given = *draw(rng, slots, heads, d), np.int32(slots - 1)
            check(submission.kv_cache_decode(*given), *given)
    with case("for large scores", hint="exp(89) overflows. What can you subtract?"):
        cache, q, k, v = draw(rng)
        given = cache, 500 * np.sign(q), k, v, np.int32(6)
        check(submission.kv_cache_decode(*given), *given, atol=5e-3)
    cache, q, k, v = draw(rng)
    half = {name: array.astype(jnp.bfloat16) for name, array in cache.items()}
    with case("for a cache in bfloat16", hint="Which dtypes do the new slot and the result have?"):
        given = half, q, k, v, np.int32(4)
        check(submission.kv_cache_decode(*given), *given, atol=1e-3)
    with case(
        "for the first token of a cache in bfloat16",
        hint="It sees only itself, as stored in the cache.",
    ):
        new, result = submission.kv_cache_decode(half, q, k, v, np.int32(0))
        assert_close(result, np.asarray(new["v"], np.float32)[0], rtol=1e-4)
    with case("under `vmap`", hint="Each text of a batch has its own position."):
        texts = [(*draw(rng), position) for position in np.int32([2, 0, 8])]
        given = jax.tree.map(lambda *parts: np.stack(parts), *texts)
        expected = jax.tree.map(lambda *parts: np.stack(parts), *(exact(*one) for one in texts))
        assert_close(submission.kv_cache_decode.vmap()(*given), expected, atol=5e-5)
    with case(
        "in the gradients of the new cache",
        hint="A later token sees it. Overwritten values have no gradient.",
    ):
        cache, q, k, v = draw(rng)
        g = rng.normal(size=q.shape).astype(np.float32)
        given = cache, q, k, v, np.int32(6), g, draw(rng)[0]
        found = submission.kv_cache_decode.used_by(pulled)(*given)
        assert_close(found, slopes(*given), atol=1e-4)
