"""The plain softmax of whole rows, for a third of the queries at a time (F45).

Exercise: 16_transformers/flash_attention
Outcome: failed
Slow: it takes the machine some time
"""

import math

import jax
import jax.numpy as jnp


@jax.checkpoint
def plain(q, k, v):
    return jax.nn.softmax(q @ k.T / math.sqrt(q.shape[1]), axis=1) @ v


def flash_attention(q, k, v, block):
    parts = jnp.array_split(q, 3)
    return jnp.concatenate([plain(part, k, v) for part in parts])
