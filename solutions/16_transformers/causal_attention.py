"""Reference solution: padding is replaced before anything is computed with it."""

import math

import jax
import jax.numpy as jnp


def causal_attention(q: jax.Array, k: jax.Array, v: jax.Array, real: jax.Array) -> jax.Array:
    """Every softmax has finite scores, and the rows of padding are replaced."""
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    sees = jnp.tril(jnp.ones((real.size, real.size), bool)) & real
    scores = q @ k.T / math.sqrt(q.shape[-1])
    weights = jax.nn.softmax(jnp.where(sees, scores, jnp.finfo(scores.dtype).min), axis=-1)
    return jnp.where(real[:, None], weights @ v, 0)
