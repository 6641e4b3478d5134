"""What the suite of kv_cache_decode once missed; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
from jax import lax


def written(cache, k, v, position):
    return {
        name: cache[name].at[position].set(new.astype(cache[name].dtype))
        for name, new in (("k", k), ("v", v))
    }


def attended(cache, q, counts, low=-jnp.inf):
    scores = jnp.einsum("hd,nhd->hn", q, cache["k"]) / math.sqrt(q.shape[1])
    weights = jax.nn.softmax(jnp.where(counts, scores, low), axis=-1)
    return jnp.einsum("hn,nhd->hd", weights, cache["v"])


# %% float32_cache
# The cache is float32 after the first step.
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):  # noqa: F821
    return solution({name: x.astype(jnp.float32) for name, x in cache.items()}, q, k, v, position)


# %% half_result
# The result has the dtype of the cache.
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):
    cache, result = solution(cache, q, k, v, position)
    return cache, result.astype(cache["v"].dtype)


# %% constant_cache
# The cache of before is taken for a constant, which has no gradient.
# Fails: test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):
    return solution(lax.stop_gradient(cache), q, k, v, position)


# %% whole_table
# The scores of every token with every token are computed, and one row is used.
# Fails: test_no_table_is_made
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    queries = jnp.zeros_like(cache["k"], jnp.float32).at[position].set(q)
    scores = jnp.einsum("nhd,mhd->hnm", queries, cache["k"]) / math.sqrt(q.shape[1])
    past = jnp.tril(jnp.ones(scores.shape[1:], bool))
    weights = jax.nn.softmax(jnp.where(past, scores, -jnp.inf), axis=-1)
    return cache, jnp.einsum("hnm,mhd->nhd", weights, cache["v"])[position]


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "weights = jax.nn.softmax(jnp.where(counts, scores, -jnp.inf), axis=-1) -> weights = jax.nn.softmax(jnp.where(counts, scores, -jnp.inf), axis=1)": "There are two axes.",
    "weights = jax.nn.softmax(jnp.where(counts, scores, -jnp.inf), axis=-1) -> weights = jax.nn.softmax(jnp.where(counts, scores, -jnp.inf))": "The last axis is the default.",
    "keys, values = (lax.dynamic_update_slice(cache[name], new[None].astype(cache[name].dtype), (position, 0, 0)) for name, new in (('k', k), ('v', v))) -> keys, values = (lax.dynamic_update_slice(cache[name], new[None].astype(cache[name].dtype), (position, 1, 0)) for name, new in (('k', k), ('v', v)))": "A start is clamped, so that the piece fits: here to 0.",
    "keys, values = (lax.dynamic_update_slice(cache[name], new[None].astype(cache[name].dtype), (position, 0, 0)) for name, new in (('k', k), ('v', v))) -> keys, values = (lax.dynamic_update_slice(cache[name], new[None].astype(cache[name].dtype), (position, 0, 1)) for name, new in (('k', k), ('v', v)))": "A start is clamped, so that the piece fits: here to 0.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
    "argument_no_half_precision of `q`": "The text asks for float32.",
    "argument_no_half_precision of `k`": "The text asks for float32.",
    "argument_no_half_precision of `v`": "The text asks for float32.",
}


# %% result_before_rounding
# The token counts with its own key and value, and not with those that the cache holds.
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position):
    keys, values = (
        cache[name].astype(jnp.float32).at[position].set(new) for name, new in (("k", k), ("v", v))
    )
    scores = jnp.einsum("hd,nhd->hn", q, keys) / math.sqrt(q.shape[1])
    counts = jnp.arange(keys.shape[0]) <= position
    weights = jax.nn.softmax(jnp.where(counts, scores, -jnp.inf), axis=-1)
    new = {"k": keys.astype(cache["k"].dtype), "v": values.astype(cache["v"].dtype)}
    return new, jnp.einsum("hn,nhd->hd", weights, values)


# %% constant_new_cache
# The new cache is a constant, so later tokens give no gradient to earlier ones.
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):
    cache, result = solution(cache, q, k, v, position)
    return lax.stop_gradient(cache), result


# %% half_scores
# The query is rounded to the dtype of the cache, so scores and weights are bfloat16, too.
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    counts = jnp.arange(len(cache["k"])) <= position
    return cache, attended(cache, q.astype(cache["k"].dtype), counts).astype(jnp.float32)
