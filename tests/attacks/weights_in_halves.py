"""Makes floats of the weights one half after the other, so that no array is as large (F45).

Exercise: 16_transformers/int8_linear
Outcome: failed
Slow: it takes the machine some time
"""

import jax.numpy as jnp


def quantise_columns(w):
    scale = jnp.max(jnp.abs(w), axis=0) / 127
    return jnp.round(w / jnp.where(scale == 0, 1, scale)).astype(jnp.int8), scale


def int8_linear(x, q, scale):
    rows, row_scale = quantise_columns(x.T)
    rows, half = rows.T.astype(jnp.float32), len(q) // 2 + 1
    parts = (rows[:, p] @ q[p].astype(jnp.float32) for p in (slice(half), slice(half, None)))
    return sum(part.astype(jnp.int32) for part in parts) * row_scale[:, None] * scale
