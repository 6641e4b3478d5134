"""Other right answers to flash_attention; each cell is a suffix to the solution."""

import math
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% log_of_the_sum
# The carry is the logarithm of the sum, and the average so far.
@partial(jax.jit, static_argnums=3)
def flash_attention(q, k, v, block):
    @jax.checkpoint
    def step(n, state):
        log_total, mean = state
        keys, values = (lax.dynamic_slice_in_dim(x, n * block, block) for x in (k, v))
        scores = jnp.einsum("sd,td->st", q, keys) / q.shape[1] ** 0.5
        new = jnp.logaddexp(log_total, jax.nn.logsumexp(scores, axis=1))
        weights = jnp.exp(scores - new[:, None])
        return new, mean * jnp.exp(log_total - new)[:, None] + weights @ values

    start = jnp.full(len(q), -1e30), jnp.zeros_like(q)
    return lax.fori_loop(0, len(k) // block, step, start)[1]


# %% one_query
# The loop for one query, mapped over the queries.
def flash_attention(q, k, v, block):
    d = q.shape[1]
    blocks = jnp.reshape(k, (-1, block, d)), jnp.reshape(v, (-1, block, d))

    def one(query):
        def step(state, pair):
            top, total, weighted = state
            scores = pair[0] @ query / jnp.sqrt(d)
            new = lax.stop_gradient(jnp.maximum(top, jnp.max(scores)))
            weights = jnp.exp(scores - new)
            old = jnp.exp(top - new)
            return (new, total * old + weights.sum(), weighted * old + weights @ pair[1]), None

        start = -jnp.inf, 0.0, jnp.zeros(d)
        start = jax.tree.map(jnp.float32, start)
        _, total, weighted = lax.scan(jax.checkpoint(step), start, blocks)[0]
        return weighted / total

    return jax.vmap(one)(q)


# %% own_derivative
# As in the paper: the backward pass has a loop of its own, and keeps nothing for each block.
def cut(x, block):
    return x.reshape(-1, block, x.shape[1])


def forward(q, k, v, block):
    scale = 1 / math.sqrt(q.shape[1])

    def step(state, pair):
        top, total, weighted = state
        scores = q @ pair[0].T * scale
        new = jnp.maximum(top, scores.max(axis=1, keepdims=True))
        old, weights = jnp.exp(top - new), jnp.exp(scores - new)
        total = total * old + weights.sum(axis=1, keepdims=True)
        return (new, total, weighted * old + weights @ pair[1]), None

    column = jnp.zeros((len(q), 1))
    start = column - jnp.inf, column, jnp.zeros_like(q)
    (top, total, weighted), _ = lax.scan(step, start, (cut(k, block), cut(v, block)))
    result = weighted / total
    return result, (q, k, v, result, top + jnp.log(total))


def backward(block, kept, g):
    q, k, v, result, log_total = kept
    scale = 1 / math.sqrt(q.shape[1])
    shift = (g * result).sum(axis=1, keepdims=True)

    def step(by_q, pair):
        keys, values = pair
        weights = jnp.exp(q @ keys.T * scale - log_total)
        slopes = weights * (g @ values.T - shift) * scale
        return by_q + slopes @ keys, (slopes.T @ q, weights.T @ g)

    by_q, (by_k, by_v) = lax.scan(step, jnp.zeros_like(q), (cut(k, block), cut(v, block)))
    return by_q, by_k.reshape(k.shape), by_v.reshape(v.shape)


@partial(jax.custom_vjp, nondiff_argnums=(3,))
def flash_attention(q, k, v, block):
    return forward(q, k, v, block)[0]


flash_attention.defvjp(forward, backward)


# %% blocks_of_queries
# Plain attention for a few queries at a time, computed again for the gradient.
def flash_attention(q, k, v, block):
    @jax.checkpoint
    def one(query):
        return jax.nn.softmax(k @ query / math.sqrt(q.shape[1])) @ v

    return lax.map(one, q)
