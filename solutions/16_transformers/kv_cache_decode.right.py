"""Other right answers to kv_cache_decode; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% scatter
# `.at[].set`, and a softmax with a mask of its own.
@jax.jit
def kv_cache_decode(cache, q, k, v, position):
    keys, values = cache["k"].at[position].set(k), cache["v"].at[position].set(v)
    scores = (keys * q).sum(-1) * q.shape[-1] ** -0.5
    counts = (jnp.arange(len(keys)) <= position)[:, None]
    weights = jax.nn.softmax(jnp.broadcast_to(scores, scores.shape), axis=0, where=counts)
    return {"v": values, "k": keys}, (weights[..., None] * values).sum(0).astype(q.dtype)


# %% chosen
# Each slot is chosen from the old one and the token.
def kv_cache_decode(cache, q, k, v, position):
    slots = jnp.arange(cache["k"].shape[0])[:, None, None]
    token = {"k": k, "v": v}
    new = {n: jnp.where(slots == position, token[n].astype(a.dtype), a) for n, a in cache.items()}

    def head(q, keys, values):
        scores = jnp.where(slots.ravel() <= position, keys @ q / jnp.sqrt(q.size), -1e30)
        return jax.nn.softmax(scores) @ values

    return new, jax.vmap(head, in_axes=(0, 1, 1))(q, new["k"], new["v"])


# %% library
# JAX's own attention, with a length.
def kv_cache_decode(cache, q, k, v, position):
    keys, values = (
        lax.dynamic_update_index_in_dim(cache[n], x.astype(cache[n].dtype), position, 0)
        for n, x in (("k", k), ("v", v))
    )
    length = jnp.reshape(position + 1, (1,))
    wide = (x[None].astype(jnp.float32) for x in (q[None], keys, values))
    found = jax.nn.dot_product_attention(*wide, key_value_seq_lengths=length)
    return {"k": keys, "v": values}, found[0, 0]


# %% running_softmax
# A scan over the slots with a running maximum: nothing but the cache has N rows.
def kv_cache_decode(cache, q, k, v, position):
    cache = {
        "k": cache["k"].at[position].set(k.astype(cache["k"].dtype)),
        "v": cache["v"].at[position].set(v.astype(cache["v"].dtype)),
    }

    def step(state, slot):
        top, total, result = state
        number, keys, values = slot
        score = jnp.where(number <= position, (keys * q).sum(1) / q.shape[1] ** 0.5, -jnp.inf)
        new = jnp.maximum(top, score)
        old, share = jnp.exp(top - new), jnp.exp(score - new)
        return (new, total * old + share, result * old[:, None] + share[:, None] * values), None

    start = jnp.full(len(q), -jnp.inf), jnp.zeros(len(q)), jnp.zeros_like(q)
    slots = jnp.arange(len(cache["k"])), cache["k"], cache["v"]
    (_, total, result), _ = lax.scan(step, start, slots)
    return cache, result / total[:, None]
