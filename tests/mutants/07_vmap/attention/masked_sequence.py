"""The batch as one long sequence with a mask: B times as many scores, nearly all for nothing.

Fails: test_it_is_fast
"""

import math

import jax
import jax.numpy as jnp


def attention(q, k, v):
    sequence = jnp.repeat(jnp.arange(q.shape[0]), q.shape[1])
    queries, keys, values = (x.reshape(-1, x.shape[-1]) for x in (q, k, v))
    scores = queries @ keys.T / math.sqrt(q.shape[-1])
    scores = jnp.where(sequence[:, None] == sequence, scores, -jnp.inf)
    return (jax.nn.softmax(scores, axis=-1) @ values).reshape(v.shape)
