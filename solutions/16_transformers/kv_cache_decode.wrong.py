"""What learners get wrong in kv_cache_decode; each cell is a suffix to the solution."""

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


# %% slice_up_to_it
# A slice ends at the position, so each position has its own shapes and its own program.
# Do: Use all N slots, and give those after the position no weight.
# Breaks: Details 1
# At most half of the points.
# Fails: test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    seen = {name: array[: int(position) + 1] for name, array in cache.items()}
    return cache, attended(seen, q, True)


# %% growing_cache
# The token is appended to the earlier ones, so the cache grows.
# Do: Write to the slot: a fixed-size cache doesn't grow.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = {
        name: jnp.concatenate([cache[name][: int(position)], new[None].astype(cache[name].dtype)])
        for name, new in (("k", k), ("v", v))
    }
    return cache, attended(cache, q, True)


# %% sees_every_slot
# Unfilled slots also have a weight.
# Do: Set the scores of the slots after the position to -inf.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    return cache, attended(cache, q, True)


# %% zero_scores
# The scores of the other slots are set to 0, and exp(0) is 1.
# Do: Set these scores to -inf: exp(-inf) is 0.
# Breaks: Returns 2
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    return cache, attended(cache, q, jnp.arange(len(cache["k"])) <= position, low=0.0)


# %% zeros_mean_empty
# A slot counts if it doesn't contain zeros.
# Do: Check the index of a slot, not its contents.
# Breaks: Returns 2
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    return cache, attended(cache, q, jnp.any(cache["k"] != 0, axis=(1, 2)))


# %% not_itself
# The mask ends one slot too early, so the token doesn't see itself.
# Do: Use `<=`: the token sees itself.
# Breaks: Returns 2
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    counts = jnp.arange(len(cache["k"])) < jnp.maximum(position, 1)
    return cache, attended(cache, q, counts)


# %% one_too_many
# The mask ends one slot too late.
# Do: Use `<= position`: the slot after it doesn't count.
# Breaks: Returns 2
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    return cache, attended(cache, q, jnp.arange(len(cache["k"])) <= position + 1)


# %% written_afterwards
# The attention is computed with the old cache, which lacks the token.
# Do: Write to the cache first, and attend to the new cache.
# Breaks: Returns 2
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    counts = jnp.arange(len(cache["k"])) <= position
    return written(cache, k, v, position), attended(cache, q, counts)


# %% shifted_cache
# The token is put at the end, and all others shift by one slot.
# Do: Write to slot `position`, and leave the others in place.
# Breaks: Returns 1
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = {
        name: jnp.roll(cache[name], -1, axis=0).at[-1].set(new.astype(cache[name].dtype))
        for name, new in (("k", k), ("v", v))
    }
    counts = jnp.arange(len(cache["k"])) >= len(cache["k"]) - 1 - position
    return cache, attended(cache, q, counts)


# %% heads_together
# One softmax of the heads' mean scores serves all heads.
# Do: Take a softmax for each head, along the slots.
# Breaks: Returns 2
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    scores = jnp.einsum("hd,nhd->n", q, cache["k"]) / math.sqrt(q.size)
    weights = jax.nn.softmax(jnp.where(jnp.arange(len(scores)) <= position, scores, -jnp.inf))
    return cache, jnp.einsum("n,nhd->hd", weights, cache["v"])


# %% no_scale
# The scores aren't divided by the root of d.
# Do: Divide the scores by the square root of d.
# Breaks: Returns 2
# Fails: test_one_step, test_the_slots_after_it_have_no_weight,
# test_one_program_serves_every_position, test_a_text_has_the_results_of_the_full_pass,
# test_no_table_is_made, test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):
    return solution(cache, q * q.shape[1] ** 0.5, k, v, position)


# %% same_dtype_expected
# A cache slot has a different dtype from the token.
# Do: Cast k and v to the dtype of the cache before you write them.
# Breaks: Details 3
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position):
    start = (position, 0, 0)
    cache = {
        "k": lax.dynamic_update_slice(cache["k"], k[None], start),
        "v": lax.dynamic_update_slice(cache["v"], v[None], start),
    }
    return cache, attended(cache, q, jnp.arange(len(cache["k"])) <= position)


# %% once missed


# %% float32_cache
# The cache is float32 after the first step.
# Breaks: Details 3
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):
    return solution({name: x.astype(jnp.float32) for name, x in cache.items()}, q, k, v, position)


# %% half_result
# The result has the dtype of the cache.
# Breaks: Details 3
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):
    cache, result = solution(cache, q, k, v, position)
    return cache, result.astype(cache["v"].dtype)


# %% constant_cache
# The old cache is treated as a constant, which has no gradient.
# Breaks: Details 4
# Fails: test_gradients_of_the_result, test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):
    return solution(lax.stop_gradient(cache), q, k, v, position)


# %% whole_table
# The scores of every token with every token are computed, but only one row is used.
# Breaks: Returns 3
# Fails: test_no_table_is_made
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    queries = jnp.zeros_like(cache["k"], jnp.float32).at[position].set(q)
    scores = jnp.einsum("nhd,mhd->hnm", queries, cache["k"]) / math.sqrt(q.shape[1])
    past = jnp.tril(jnp.ones(scores.shape[1:], bool))
    weights = jax.nn.softmax(jnp.where(past, scores, -jnp.inf), axis=-1)
    return cache, jnp.einsum("hnm,mhd->nhd", weights, cache["v"])[position]


# %% result_before_rounding
# The token uses its own key and value, not those in the cache.
# Breaks: Details 3
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
# Breaks: Details 4
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position, solution=kv_cache_decode):
    cache, result = solution(cache, q, k, v, position)
    return lax.stop_gradient(cache), result


# %% half_scores
# The query is rounded to the dtype of the cache, so scores and weights are also bfloat16.
# Breaks: Details 3
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    counts = jnp.arange(len(cache["k"])) <= position
    return cache, attended(cache, q.astype(cache["k"].dtype), counts).astype(jnp.float32)


# %% no_maximum
# The exponentials of the raw scores overflow.
# Breaks: Details 2
# Fails: test_details
def kv_cache_decode(cache, q, k, v, position):
    cache = written(cache, k, v, position)
    scores = jnp.einsum("hd,nhd->hn", q, cache["k"]) / math.sqrt(q.shape[1])
    weights = jnp.where(jnp.arange(scores.shape[1]) <= position, jnp.exp(scores), 0)
    total = jnp.einsum("hn,nhd->hd", weights, cache["v"])
    return cache, total / weights.sum(axis=1, keepdims=True)


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
