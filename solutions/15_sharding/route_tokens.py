"""Reference solution: a running sum tells each token its slot."""

import jax
import jax.numpy as jnp


def route_tokens(logits: jax.Array, capacity: int) -> tuple[jax.Array, jax.Array]:
    """What has no slot is outside the table, and isn't written."""
    n, experts = logits.shape
    chosen = jnp.argmax(logits, axis=1)
    taken = jax.nn.one_hot(chosen, experts, dtype=jnp.int32)
    slot = jnp.sum(taken * jnp.cumsum(taken, axis=0), axis=1) - 1
    gate = jnp.max(jax.nn.softmax(logits, axis=1), axis=1)

    tokens = jnp.full((experts, capacity), n, jnp.int32)
    tokens = tokens.at[chosen, slot].set(jnp.arange(n, dtype=jnp.int32), mode="drop")
    gates = jnp.zeros((experts, capacity)).at[chosen, slot].set(gate, mode="drop")
    return tokens, gates
