"""Reference solution: a mask in the sorted order, brought back to the order of the tokens."""

import jax
import jax.numpy as jnp


def top_p_sample(key: jax.Array, logits: jax.Array, p: float | jax.Array) -> jax.Array:
    """Keep a token if those before it sum to less than p."""
    logits = logits.astype(jnp.float32)
    order = jnp.argsort(logits, axis=-1, descending=True)
    sizes = jnp.take_along_axis(jax.nn.softmax(logits, axis=-1), order, axis=-1)
    before = jnp.cumsum(sizes, axis=-1) - sizes
    keep = jnp.take_along_axis(before < p, jnp.argsort(order, axis=-1), axis=-1)
    return jax.random.categorical(key, jnp.where(keep, logits, -jnp.inf), axis=-1)
