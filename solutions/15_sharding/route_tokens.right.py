"""Other right answers to route_tokens; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% nonzero
# The first tokens of each expert, with a fixed number of them.
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen = jnp.argmax(logits, axis=1)

    def of(expert):
        return jnp.nonzero(chosen == expert, size=capacity, fill_value=n)[0]

    tokens = jax.vmap(of)(jnp.arange(experts)).astype(jnp.int32)
    gate = jnp.max(jax.nn.softmax(logits), axis=1)
    return tokens, gate.at[tokens].get(mode="fill", fill_value=0)


# %% stable_sort
# The tokens in the order of their experts, and where each expert begins.
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen = jnp.argmax(logits, axis=1)
    order = jnp.argsort(chosen, stable=True)
    counts = jnp.bincount(chosen, length=experts)
    place = (jnp.cumsum(counts) - counts)[:, None] + jnp.arange(capacity)
    filled = jnp.arange(capacity) < counts[:, None]
    tokens = jnp.where(filled, order[jnp.minimum(place, n - 1)], n).astype(jnp.int32)
    gate = jax.nn.softmax(logits)[jnp.minimum(tokens, n - 1), jnp.arange(experts)[:, None]]
    return tokens, jnp.where(filled, gate, 0)


# %% mask
# A mask [n, E, capacity], and products with it.
def route_tokens(logits, capacity):
    n, experts = logits.shape
    taken = jax.nn.one_hot(jnp.argmax(logits, axis=1), experts)
    place = jnp.cumsum(taken, axis=0) * taken - 1
    mask = jax.nn.one_hot(place, capacity)
    gates = jnp.einsum("nec,ne->ec", mask, jax.nn.softmax(logits), precision="highest")
    tokens = (mask * jnp.arange(n)[:, None, None]).sum(axis=0)
    return jnp.where(mask.sum(axis=0) > 0, tokens, n).astype(jnp.int32), gates


# %% associative_scan
# `top_k`, and a running sum by `associative_scan`.
def route_tokens(logits, capacity):
    n, experts = logits.shape
    weights = jnp.exp(logits - lax.stop_gradient(logits.max(axis=1, keepdims=True)))
    gate, chosen = lax.top_k(weights / weights.sum(axis=1, keepdims=True), 1)
    taken = chosen == jnp.arange(experts)
    slot = lax.associative_scan(jnp.add, taken.astype(jnp.int32), axis=0) - 1
    slot = jnp.where(taken & (slot < capacity), slot, capacity)
    row, column = jnp.broadcast_to(jnp.arange(experts), slot.shape), slot
    tokens = jnp.full((experts, capacity + 1), n, jnp.int32)
    tokens = tokens.at[row, column].set(jnp.arange(n, dtype=jnp.int32)[:, None])[:, :-1]
    gates = jnp.zeros((experts, capacity + 1)).at[row, column].set(gate)[:, :-1]
    return tokens, gates


# %% cumsum_of_each_expert
# A Python loop over the experts, and a search in each running sum.
def route_tokens(logits, capacity):
    experts = logits.shape[1]
    chosen, weights = jnp.argmax(logits, axis=1), jax.nn.softmax(logits)
    tokens, gates = [], []
    for expert in range(experts):
        count = jnp.cumsum(chosen == expert)
        found = jnp.searchsorted(count, jnp.arange(1, capacity + 1))
        tokens.append(found.astype(jnp.int32))
        gates.append(weights[:, expert].at[found].get(mode="fill", fill_value=0))
    return jnp.stack(tokens), jnp.stack(gates)
